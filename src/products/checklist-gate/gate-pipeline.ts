import { definePipeline } from '../../blocks/pipeline/define-pipeline.js';
import type { Pipeline } from '../../blocks/pipeline/pipeline-options.js';
import { isNonEmpty } from '../../core/decision.js';
import { ReviewLoopError } from '../../core/errors.js';
import { isOpen, severityAtLeast } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import type { Policy } from '../../core/policy.js';
import { engineErrors } from '../../engine/errors.js';
import { unjudgeable } from '../../engine/policies/evidence.js';
import { blockingFloor } from '../../engine/policies/severity-by-iteration.js';
import type { ChecklistItem, ChecklistState } from '../../ports/checklist/checklist-state.js';
import { failedItems, guidanceFor } from './checklist-text.js';
import type { ChecklistVerdictStore } from './checklist-verdict-store.js';
import type { GateSettings } from './gate-settings.js';
import { type GateRules, gateStatus, isBlocking } from './gate-status.js';
import { type GateOutput, type GateTask, itemReviewers } from './item-reviewer.js';
import { changeState, readState } from './stored-checklist.js';
import { withReset } from './transitions.js';

export type GatePipeline<Work> = Pipeline<GateTask, GateOutput<Work>>;

export interface GatePipelineInput<Work> {
  readonly state: ChecklistState;
  readonly verdicts: ChecklistVerdictStore;
  readonly from: number;
  /** The work; absent if the journal of a run contains it. */
  readonly work?: Work | undefined;
}

export function gatePipeline<Work>(
  settings: GateSettings<Work>,
  { state, verdicts, from, work }: GatePipelineInput<Work>,
): GatePipeline<Work> {
  const { phase, ports, fix, runs, ceiling, blocking } = settings;
  const pipeline = definePipeline<GateTask, GateOutput<Work>>({
    ...ports,
    name: `checklist-gate:${phase}`,
    failFast: false,
    store: runs,
    verdicts,
    reviewers: itemReviewers(settings, state.items, { verdicts, from }),
    policy: gatePolicy(settings, { from, unchanged: state.unchanged }),
    budget: { reviews: Math.max(1, ceiling - from + 1) },
    produce: work === undefined ? missingWork : async () => ({ cycle: 0, work }),
    ...(fix !== undefined && {
      address: async ({ cycle, work: latest }, gaps, context) => {
        await verdicts.settle();
        const iteration = from + context.iteration - 1;
        const now = await readState(settings);
        const failed = failedItems(now, gaps).filter((item) =>
          isBlocking(item, iteration - (now.unchanged ?? 0), blocking),
        );
        const guidance = guidanceFor(failed, gateStatus(now, settings));
        const fixed = await fix(latest, guidance, {
          iteration,
          note: context.note,
          signal: context.signal,
          step: context.step,
          reportUsage: context.reportUsage,
          ask: context.ask,
        });
        await beginIteration(settings, failed, iteration + 1);
        return { cycle: cycle + 1, work: fixed };
      },
    }),
  });
  for (const listen of settings.listeners) listen(pipeline);
  return pipeline;
}

/** Happens once, no matter how often a run resumes in it. */
async function beginIteration<Work>(
  settings: GateSettings<Work>,
  items: readonly ChecklistItem[],
  iteration: number,
): Promise<void> {
  await changeState(settings, (state) =>
    state.iteration >= iteration
      ? state
      : withReset(state, new Set(items.map(({ id }) => id)), iteration),
  );
}

async function missingWork(): Promise<never> {
  throw new ReviewLoopError(
    engineErrors.run_unknown,
    'the journal of this run does not contain the work',
  );
}

/**
 * Failed items that block are fixed in the latest work. At the ceiling the gate asks a person once.
 * An unverified item prevents approval.
 *
 * @param from - The iteration of the state at the first review.
 */
function gatePolicy(
  { blocking: table, ceiling }: Pick<GateRules, 'blocking' | 'ceiling'>,
  { from, unchanged = 0 }: { readonly from: number; readonly unchanged?: number | undefined },
): Policy {
  return ({ iteration: number, review }) => {
    const stop = unjudgeable(review);
    if (stop !== undefined) return stop;
    const iteration = from + number - 1;
    const floor = blockingFloor(table, iteration - unchanged);
    const unverified = review.assessments.filter(
      ({ verdict }) => verdict === 'skipped' || verdict === 'undecided',
    );
    const blocking = review.gaps.filter(
      (gap) => isOpen(gap) && severityAtLeast(gap.severity, floor),
    );
    const failed = [...new Set(blocking.map(({ criterionId = '' }) => criterionId))];
    const reason = `${plural(failed.length, 'blocking item')} failed in iteration ${iteration}: ${failed.join(', ')}`;
    if (isNonEmpty(blocking)) {
      if (iteration < ceiling) return { kind: 'revise', reason, from: 'latest', blocking };
      return {
        kind: 'ask',
        reason,
        question: `${reason}. Accept the work with a reason, ask for one more fix, or reject it?`,
        allowed: ['override', 'revise', 'reject'],
      };
    }
    if (unverified.length > 0)
      return {
        kind: 'stop',
        status: 'inconclusive',
        code: 'unverified',
        reason:
          `${plural(unverified.length, 'item')} not verified: ` +
          `${unverified.map(({ criterion }) => criterion).join(', ')}`,
      };
    return { kind: 'approve', reason: `every blocking item passed in iteration ${iteration}` };
  };
}
