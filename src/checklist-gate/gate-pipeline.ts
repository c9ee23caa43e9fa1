import { ReviewLoopError } from '../core/errors.js';
import { engineErrors } from '../engine/errors.js';
import { definePipeline } from '../pipeline/define-pipeline.js';
import type { Pipeline } from '../pipeline/pipeline-options.js';
import type { ChecklistItem, ChecklistState } from './checklist.js';
import { changeState, readState } from './checklist-store.js';
import type { ChecklistVerdictStore } from './checklist-verdict-store.js';
import { failedItems, guidanceFor } from './fix-guidance.js';
import { gatePolicy } from './gate-policy.js';
import type { GateSettings } from './gate-settings.js';
import { gateStatus, isBlocking } from './gate-status.js';
import { type GateOutput, type GateTask, itemReviewers } from './item-reviewer.js';
import { withReset } from './transitions.js';

export type GatePipeline<Work> = Pipeline<GateTask, GateOutput<Work>>;

/** The input of a gate's pipeline. */
export interface GatePipelineInput<Work> {
  readonly state: ChecklistState;
  readonly verdicts: ChecklistVerdictStore;
  /** The iteration of the state at the first review. */
  readonly from: number;
  /** The work; absent if the journal of a run contains it. */
  readonly work?: Work | undefined;
}

/** Returns the pipeline that verifies the items of a state and fixes the failed ones. */
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

/** Begins an iteration once, no matter how often a run resumes in it. */
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
