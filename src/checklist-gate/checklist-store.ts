import type { ChecklistPhase, ChecklistState } from './checklist.js';

/** Where the states of checklists are kept. A state is never reset: what cannot be read is an error. */
export interface ChecklistStore {
  /**
   * The state of a phase; `undefined` where there is none.
   *
   * @throws ReviewLoopError `checklist_corrupt`, `checklist_newer`, `checklist_unavailable`
   */
  readonly read: (phase: ChecklistPhase) => Promise<ChecklistState | undefined>;
  /**
   * Changes a state, while nobody else does; `undefined` is what there is before the first. What the change returns is kept whole, or nothing is.
   * A change that throws, or that returns what it was given, changes nothing.
   *
   * @throws ReviewLoopError as `read`
   */
  readonly update: (
    phase: ChecklistPhase,
    change: (state: ChecklistState | undefined) => ChecklistState,
  ) => Promise<ChecklistState>;
}
