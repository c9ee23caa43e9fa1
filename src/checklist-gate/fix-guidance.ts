import type { Gap } from '../core/gap.js';
import type { ChecklistItem, ChecklistState } from './checklist.js';
import { fixerPrompt, fixGuidanceText } from './checklist-text.js';
import type { GateStatus } from './gate-status.js';

/** What a fixer is told: what failed, and nothing else. */
export interface FixGuidance {
  readonly items: readonly ChecklistItem[];
  /** Instructions for each item. */
  readonly text: string;
  /** The same as a prompt, with an overview. */
  readonly prompt: string;
}

/** The guidance for what blocks in a state. */
export function guidanceFor(
  items: readonly ChecklistItem[],
  gate: Pick<GateStatus, 'counts'>,
): FixGuidance {
  return { items, text: fixGuidanceText(items), prompt: fixerPrompt(items, gate) };
}

/** Items as the review of a run saw them fail, although their state may have gone on since. */
export function failedItems({ items }: ChecklistState, gaps: readonly Gap[]): ChecklistItem[] {
  return items.flatMap((item): ChecklistItem[] => {
    const own = gaps.filter(({ criterionId }) => criterionId === item.id);
    if (own.length === 0) return [];
    return [
      {
        ...item,
        status: 'FAIL',
        finding: own.map(({ description }) => description).join('; '),
        gaps: own,
      },
    ];
  });
}
