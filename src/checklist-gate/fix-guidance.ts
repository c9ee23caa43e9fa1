import type { Gap } from '../core/gap.js';
import type { ChecklistItem, ChecklistState } from './checklist.js';
import { fixerPrompt, fixGuidanceText } from './checklist-text.js';
import type { GateStatus } from './gate-status.js';

/** The guidance for a fixer: the failed items, and nothing else. */
export interface FixGuidance {
  readonly items: readonly ChecklistItem[];
  /** Instructions for each item. */
  readonly text: string;
  /** The findings as a prompt, with an overview. */
  readonly prompt: string;
}

/** Returns the guidance for failed items. */
export function guidanceFor(
  items: readonly ChecklistItem[],
  gate: Pick<GateStatus, 'counts'>,
): FixGuidance {
  return { items, text: fixGuidanceText(items), prompt: fixerPrompt(items, gate) };
}

/** Returns the items that failed in a review, even if their state has changed since. */
export function failedItems({ items }: ChecklistState, gaps: readonly Gap[]): ChecklistItem[] {
  return items.flatMap((item): ChecklistItem[] => {
    const own = gaps.filter(({ criterionId }) => criterionId === item.id);
    if (own.length === 0) return [];
    const finding = own.map(({ description }) => description).join('; ');
    return [{ ...item, status: 'FAIL', finding, gaps: own }];
  });
}
