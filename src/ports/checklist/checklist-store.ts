import { copyJson } from '../../core/json.js';
import type { ChecklistPhase, ChecklistState } from './checklist-state.js';

/**
 * Stores the states of checklists: `fileChecklists` in files, `memoryChecklists` in this process. A
 * store never resets a state. An unreadable state is an error.
 */
export interface ChecklistStore {
  /**
   * Returns the state of a phase, `undefined` before its first one.
   *
   * @throws ReviewLoopError `checklist_corrupt`, `checklist_newer`, `checklist_unavailable`
   */
  readonly read: (phase: ChecklistPhase) => Promise<ChecklistState | undefined>;
  /**
   * Changes the state of a phase under exclusive access and returns the new state. `change`
   * receives `undefined` before the first state. The result is stored whole or not at all. A
   * change that throws, or that returns its argument, changes nothing.
   *
   * A store may call `change` again, with a newer state, if another process was faster. Let it
   * compute only: what it does besides may happen twice, and only its last result counts.
   *
   * @throws ReviewLoopError the errors of `read`
   */
  readonly update: (
    phase: ChecklistPhase,
    change: (state: ChecklistState | undefined) => ChecklistState,
  ) => Promise<ChecklistState>;
}

/**
 * Creates a store of checklists in the memory of this process.
 *
 * @example
 * ```ts
 * const store = memoryChecklists();
 * const gate = new ChecklistGate({ phase: 'plan-structure', decompose, store });
 * ```
 */
export function memoryChecklists(): ChecklistStore {
  const states = new Map<ChecklistPhase, ChecklistState>();
  return {
    read: async (phase) => states.get(phase),
    update: async (phase, change) => {
      const next = copyJson(change(states.get(phase)), { freeze: true });
      states.set(phase, next);
      return next;
    },
  };
}
