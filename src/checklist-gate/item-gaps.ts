import type { Gap } from '../core/gap.js';
import { type ChecklistItem, gapSeverityOf } from './checklist.js';

/** Returns the fix for an item whose verifier suggested none. */
export function defaultFixOf({ check, scope }: Pick<ChecklistItem, 'check' | 'scope'>): string {
  return (
    `Change ${scope === '*' ? 'the artifact' : scope} so that this is true: ${check} ` +
    'The finding is one example: look for all others like it.'
  );
}

/** Returns the gap for an item whose verifier reported a finding and no details. */
export function plainGapOf({
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
    suggestedFix: defaultFixOf({ check, scope }),
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: id,
  };
}

/** Returns the gaps of an item, with places and quotes. Those of an accepted item are waived. */
export function gapsOfItem(item: ChecklistItem): readonly Gap[] {
  const gaps = item.gaps ?? (item.status === 'FAIL' ? [plainGapOf(item)] : []);
  return item.accepted === undefined ? gaps : gaps.map((gap) => ({ ...gap, standing: 'waived' }));
}

export interface FindingDetails {
  readonly fix?: string | undefined;
  readonly evidence?: Gap['evidence'];
  readonly location?: Gap['location'];
}

/** Returns the details of a finding as the gaps of its item, `undefined` without details. */
export function gapsOfDetails(
  item: ChecklistItem,
  { fix = '', evidence, location }: FindingDetails,
): ChecklistItem['gaps'] {
  if (fix.trim() === '' && evidence === undefined && location === undefined) return undefined;
  return [
    {
      ...plainGapOf(item),
      ...(fix.trim() !== '' && { suggestedFix: fix }),
      ...(evidence !== undefined && { evidence }),
      ...(location !== undefined && { location }),
    },
  ];
}
