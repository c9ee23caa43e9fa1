import type { AgentOutput } from '@/index.js';
import {
  type ChecklistDraft,
  ChecklistGate,
  type ChecklistGateOptions,
  memoryChecklists,
} from '@/products/checklist-gate/index.js';

/** A work of one file. */
export const work = (content = 'fine', path = 'a.ts'): AgentOutput => ({
  artifacts: [{ type: 'code', path, content }],
});

export const drafts: readonly ChecklistDraft[] = [
  { scope: '*', check: 'The whole is fine.', severity: 'MUST' },
  { scope: 'file:a.ts', check: 'The file is fine.', severity: 'SHOULD' },
  { scope: 'file:a.ts', check: 'The file is pretty.', severity: 'MAY' },
];

/** A gate over these items, in memory; `verify` says that everything is fine unless told otherwise. */
export function gateOf(options: Partial<ChecklistGateOptions> = {}): ChecklistGate {
  return new ChecklistGate({
    phase: 'plan-structure',
    decompose: () => drafts,
    verify: () => true,
    store: memoryChecklists(),
    ...options,
  });
}

/** The ids of the first items. */
export const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `plan-structure-00${index + 1}`);

export function noted<Item, Answer>(list: Item[], item: Item, answer: Answer): Answer {
  list.push(item);
  return answer;
}

/** Such a gate, with its items. */
export async function decomposed(options: Partial<ChecklistGateOptions> = {}) {
  const gate = gateOf(options);
  await gate.decompose(work());
  return gate;
}
