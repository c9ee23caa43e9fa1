import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import type { Gap, Severity } from '../../core/gap.js';
import {
  type ChecklistItem,
  type ChecklistSeverity,
  ChecklistSeveritySchema,
  oneLine,
} from '../../ports/checklist/checklist-state.js';

/** What a decomposition returns. */
export const ChecklistDraftSchema = builtOnUse(() =>
  z.strictObject({
    scope: oneLine,
    check: z.string().trim().min(1),
    /** @default 'MUST' */
    severity: ChecklistSeveritySchema.optional(),
    rule: z.string().min(1).optional(),
  }),
);
/** An item without an id: what a decomposition returns. */
export interface ChecklistDraft extends z.infer<typeof ChecklistDraftSchema> {}

const severities: Readonly<Record<ChecklistSeverity, Severity>> = {
  MUST: 'critical',
  SHOULD: 'major',
  MAY: 'minor',
};

export function gapSeverityOf(severity: ChecklistSeverity): Severity {
  return severities[severity];
}

/** Such items are about the whole work, and are verified one after another. */
export function isMacro({ scope }: Pick<ChecklistItem, 'scope'>): boolean {
  return scope === '*';
}

export function defaultFixOf({ check, scope }: Pick<ChecklistItem, 'check' | 'scope'>): string {
  return (
    `Change ${scope === '*' ? 'the artifact' : scope} so that this is true: ${check} ` +
    'The finding is one example: look for all others like it.'
  );
}

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

export function gapsOfItem(item: ChecklistItem): readonly Gap[] {
  const gaps = item.gaps ?? (item.status === 'FAIL' ? [plainGapOf(item)] : []);
  return item.accepted === undefined ? gaps : gaps.map((gap) => ({ ...gap, standing: 'waived' }));
}

export interface FindingDetails {
  readonly fix?: string | undefined;
  readonly evidence?: Gap['evidence'];
  readonly location?: Gap['location'];
}

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
