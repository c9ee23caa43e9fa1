import { ReviewLoopError } from '../core/errors.js';
import { definePipeline } from '../pipeline/define-pipeline.js';
import type { Pipeline } from '../pipeline/pipeline-options.js';
import type { ChecklistItem, ChecklistPhase, ChecklistState } from './checklist.js';
import type { ChecklistStore } from './checklist-store.js';
import { type ChecklistVerdictStore, missing } from './checklist-verdict-store.js';
import { failedItems, guidanceFor } from './fix-guidance.js';
import type { FixRunContext, GateSettings } from './gate-options.js';
import { gatePolicy } from './gate-policy.js';
import { gateStatus, isBlocking } from './gate-status.js';
import { type GateOutput, type GateTask, itemReviewers } from './item-reviewer.js';
import { withReset } from './transitions.js';

/** The pipeline of a gate. */
export type GatePipeline<Work> = Pipeline<GateTask, GateOutput<Work>>;

/** What a pipeline of a gate works on. */
export interface GateRunning<Work> {
  readonly state: ChecklistState;
  readonly verdicts: ChecklistVerdictStore;
  /** The iteration of the state at the first review. */
  readonly from: number;
  /** None where the record of a run holds it. */
  readonly work?: Work | undefined;
}

/** The engine's loop over the items of a state. */
export function gatePipeline<Work>(
  settings: GateSettings<Work>,
  { state, verdicts, from, work }: GateRunning<Work>,
): GatePipeline<Work> {
  const { phase, ports, fix, runs, ceiling, blocking } = settings;
  return definePipeline<GateTask, GateOutput<Work>>({
    ...ports,
    name: `checklist-gate:${phase}`,
    failFast: false,
    store: runs,
    verdicts,
    reviewers: itemReviewers(settings, state.items, { verdicts, from }),
    policy: gatePolicy(settings, state.items, from),
    budget: { reviews: Math.max(1, ceiling - from + 1) },
    produce: work === undefined ? unrecorded : async () => ({ cycle: 0, work }),
    ...(fix !== undefined && {
      address: async ({ cycle, work: latest }, gaps, context) => {
        await verdicts.settle();
        const iteration = from + context.iteration - 1;
        const now = await stateOf(settings);
        const failed = failedItems(now, gaps).filter((item) =>
          isBlocking(item, iteration, blocking),
        );
        const given: FixRunContext = {
          iteration,
          note: context.note,
          signal: context.signal,
          step: context.step,
          reportUsage: context.reportUsage,
        };
        const fixed = await fix(latest, guidanceFor(failed, gateStatus(now, settings)), given);
        await beginIteration(settings, failed, iteration + 1);
        return { cycle: cycle + 1, work: fixed };
      },
    }),
  });
}

/** Once for each cycle, however often a run is resumed in it. */
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

interface Kept {
  readonly store: ChecklistStore;
  readonly phase: ChecklistPhase;
}

/** @throws ReviewLoopError `checklist_missing`, `checklist_corrupt`, `checklist_newer`, `checklist_unavailable` */
export async function stateOf({ store, phase }: Kept): Promise<ChecklistState> {
  const state = await store.read(phase);
  if (state === undefined) throw missing(phase);
  return state;
}

/** Changes the state of a phase, which must be there. */
export function changeState(
  { store, phase }: Kept,
  change: (state: ChecklistState) => ChecklistState,
): Promise<ChecklistState> {
  return store.update(phase, (state) => {
    if (state === undefined) throw missing(phase);
    return change(state);
  });
}

async function unrecorded(): Promise<never> {
  throw new ReviewLoopError('run_unknown', 'the record of this run does not hold the work');
}
