import type { Gap } from '../core/gap.js';
import { type ChecklistItem, gapSeverityOf } from './checklist.js';

/** What would repair an item that nobody said more about. */
export function demandOf({ check, scope }: Pick<ChecklistItem, 'check' | 'scope'>): string {
  return `Change ${scope === '*' ? 'the artifact' : scope} so that this holds: ${check} The finding is an example of its class: look for all others of it.`;
}

/** The gap that a failed item is, where its verifier said no more than a finding. */
export function wholeGapOf({
  id,
  severity,
  finding,
  check,
  scope,
}: Pick<ChecklistItem, 'id' | 'severity' | 'finding' | 'check' | 'scope'>): Gap {
  return {
    id: '',
    severity: gapSeverityOf(severity),
    category: 'quality',
    description: finding ?? check,
    suggestedFix: demandOf({ check, scope }),
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: id,
  };
}

/** The gaps of an item, with their places and quotes; those of a failure that a person let through do not block. */
export function gapsOfItem(item: ChecklistItem): readonly Gap[] {
  const gaps = item.gaps ?? (item.status === 'FAIL' ? [wholeGapOf(item)] : []);
  return item.accepted === undefined ? gaps : gaps.map((gap) => ({ ...gap, standing: 'waived' }));
}
