import { copyJson } from '../core/json.js';
import type { ChecklistPhase, ChecklistState } from './checklist.js';
import type { ChecklistStore } from './checklist-store.js';

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
