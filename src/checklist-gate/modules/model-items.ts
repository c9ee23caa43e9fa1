import { requirementKey } from '../../requirements/dedupe.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { type ChecklistDraft, ChecklistDraftSchema, type ChecklistSeverity } from '../checklist.js';
import { selectItems } from '../plan/select-items.js';

export interface DroppedItem {
  readonly scope: string;
  readonly check: string;
  /** The reason for the refusal. */
  readonly reason: string;
}

export interface ProposedItem {
  readonly scope: string;
  readonly check: string;
  readonly severity: ChecklistSeverity;
}

/** The limits of proposed items. */
export interface ModelItemLimits {
  readonly work: AgentOutput;
  /** The items so far. */
  readonly known: readonly ChecklistDraft[];
  readonly maxItems: number;
}

/** The proposed items that can be used, and the refused ones. */
export interface ModelItems {
  readonly drafts: ChecklistDraft[];
  readonly dropped: DroppedItem[];
}

const maxCheckLength = 500;

/** Checks the items that a model proposes. */
export function modelItems(
  proposed: readonly ProposedItem[],
  { work, known, maxItems }: ModelItemLimits,
): ModelItems {
  const seen = new Set(known.map(keyOf));
  const drafts: ChecklistDraft[] = [];
  const dropped: DroppedItem[] = [];
  for (const { scope, check, severity } of proposed) {
    const { data: draft } = ChecklistDraftSchema.safeParse({
      scope,
      check: check.replace(/\s+/g, ' ').trim(),
      severity,
    });
    const reason =
      draft === undefined
        ? 'its scope or question is empty, too long or has control characters'
        : refusalOf(draft, { work, seen, isFull: drafts.length >= maxItems });
    if (draft === undefined || reason !== undefined)
      dropped.push({ scope, check, reason: reason ?? '' });
    else {
      drafts.push(draft);
      seen.add(keyOf(draft));
    }
  }
  return { drafts, dropped };
}

/** Returns why a draft is refused, `undefined` for a usable one. */
function refusalOf(
  draft: ChecklistDraft,
  {
    work,
    seen,
    isFull,
  }: { readonly work: AgentOutput; readonly seen: ReadonlySet<string>; readonly isFull: boolean },
): string | undefined {
  if (isFull) return 'the model may add no more items (maxItems)';
  if (draft.check.length > maxCheckLength || /[\p{Cc}\p{Cf}]/u.test(draft.check))
    return 'its question is too long or has control characters';
  if (draft.scope !== '*' && !/^(?:milestone|file):/.test(draft.scope))
    return `${draft.scope} is not a scope`;
  const { missing } = selectItems(work, draft.scope);
  if (missing !== undefined) return missing;
  return seen.has(keyOf(draft)) ? 'another item asks the same' : undefined;
}

function keyOf({ scope, check }: ChecklistDraft): string {
  return `${scope}\n${requirementKey(check)}`;
}
