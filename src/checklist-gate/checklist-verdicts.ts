import type { StoredVerdict, VerdictStore } from '../ports/verdict-store.js';
import type { ChecklistPhase } from './checklist.js';
import type { ChecklistStore } from './checklist-store.js';
import { missing } from './checklist-verdict-store.js';
import { findVerdict, withKept } from './item-results.js';

/**
 * The state of a phase as a verdict store of the engine: a verdict on an item is what the item says, all others stand beside the
 * items. A `ChecklistGate` does that by itself; this is for pipelines of your own whose verdicts belong into the same file.
 *
 * @example
 * ```ts
 * const pipeline = definePipeline({ name: 'plan', reviewers, produce, verdicts: checklistVerdicts(fileChecklists('.qr'), 'plan-code') });
 * ```
 */
export function checklistVerdicts(store: ChecklistStore, phase: ChecklistPhase): VerdictStore {
  return {
    get: async (key): Promise<StoredVerdict | undefined> => {
      const state = await store.read(phase);
      return state && structuredClone(findVerdict(state, key));
    },
    put: async (_key, verdict) => {
      await store.update(phase, (state) => {
        if (state === undefined) throw missing(phase);
        return withKept(state, structuredClone(verdict));
      });
    },
  };
}
