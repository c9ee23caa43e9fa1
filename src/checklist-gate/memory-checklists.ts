import { copyJson } from '../core/json.js';
import type { ChecklistPhase, ChecklistState } from './checklist.js';
import type { ChecklistStore } from './checklist-store.js';

/**
 * Keeps the states of checklists in this process.
 *
 * @example
 * ```ts
 * const gate = new ChecklistGate({ phase: 'plan-structure', decompose, store: memoryChecklists() });
 * ```
 */
export function memoryChecklists(): ChecklistStore {
  const held = new Map<ChecklistPhase, ChecklistState>();
  return {
    read: async (phase) => held.get(phase),
    update: async (phase, change) => {
      const next = copyJson(change(held.get(phase)), { freeze: true });
      held.set(phase, next);
      return next;
    },
  };
}
