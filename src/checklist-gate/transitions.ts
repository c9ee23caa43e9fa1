import { ReviewLoopError } from '../core/errors.js';
import type { Location } from '../core/gap.js';
import {
  type ChecklistDraft,
  ChecklistDraftSchema,
  type ChecklistItem,
  type ChecklistPhase,
  type ChecklistState,
  checklistSeverity,
} from './checklist.js';
import { checklistErrors } from './errors.js';
import { wholeGapOf } from './item-gaps.js';

/** What a verifier says of an item. */
export interface ItemResult {
  /** PASS or FAIL, in any case. */
  readonly status: string;
  /** Why it failed; FAIL needs one, PASS forbids one. */
  readonly finding?: string | undefined;
  /** Replaces the severity of the item. */
  readonly severity?: string | undefined;
  /** What would repair it; with `gaps`, each of them says so. */
  readonly fix?: string | undefined;
  /** A quote that shows it, and where it stands. */
  readonly evidence?: string | undefined;
  readonly location?: Location | undefined;
  /** What is wrong in detail, in the place of these three. */
  readonly gaps?: ChecklistItem['gaps'];
  /** The rest of a verdict. */
  readonly judged?: ChecklistItem['judged'];
  /** What the verdict is about. */
  readonly about?: ChecklistItem['about'];
}

/**
 * The first state of a phase; every item is TODO.
 *
 * @throws ReviewLoopError `checklist_item_invalid`, `checklist_empty`
 */
export function newChecklist(
  phase: ChecklistPhase,
  drafts: readonly ChecklistDraft[],
  { allowEmpty = false }: { readonly allowEmpty?: boolean } = {},
): ChecklistState {
  if (drafts.length === 0 && !allowEmpty)
    throw new ReviewLoopError(
      checklistErrors.checklist_empty,
      `the decomposition of ${phase} gave no items`,
    );
  const items = drafts.map((draft, index): ChecklistItem => {
    const parsed = ChecklistDraftSchema.safeParse(draft);
    if (!parsed.success)
      throw new ReviewLoopError(
        checklistErrors.checklist_item_invalid,
        `item ${index + 1} of ${phase} was refused: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
        {
          value: draft,
        },
      );
    const { scope, check, severity = 'MUST', rule } = parsed.data;
    return {
      id: `${phase}-${String(index + 1).padStart(3, '0')}`,
      scope,
      check,
      status: 'TODO',
      finding: null,
      severity,
      iteration: 1,
      version: 1,
      ...(rule !== undefined && { rule }),
    };
  });
  return { schema_version: '1.1', phase, iteration: 1, items };
}

/**
 * Writes what a verifier says: TODO and FAIL become PASS or FAIL, PASS stays.
 *
 * @throws ReviewLoopError `checklist_item_unknown`, `checklist_transition`
 */
export function withVerdict(
  state: ChecklistState,
  id: string,
  verdict: ItemResult,
): ChecklistState {
  const item = itemIn(state, id);
  const { status, finding } = checkedVerdict(item, verdict);
  const severity =
    verdict.severity === undefined ? item.severity : checklistSeverity(verdict.severity);
  if (severity === undefined)
    throw refused(`Invalid severity: ${verdict.severity}. Must be MUST, SHOULD, or COULD`);
  const { about, judged } = verdict;
  const next: ChecklistItem = {
    ...bare(item),
    status,
    finding,
    severity,
    iteration: state.iteration,
    version: item.version + 1,
  };
  const gaps = verdict.gaps ?? (status === 'FAIL' ? gapsSaid(next, verdict) : undefined);
  return replaced(state, {
    ...next,
    ...(gaps !== undefined && { gaps }),
    ...(about !== undefined && { about }),
    ...(judged !== undefined && { judged }),
  });
}

/** What a verifier says of a failure beside its finding, as a gap; `undefined` where that is nothing. */
export function gapsSaid(
  item: ChecklistItem,
  { fix = '', evidence, location }: Pick<ItemResult, 'fix' | 'evidence' | 'location'>,
): ChecklistItem['gaps'] {
  if (fix.trim() === '' && evidence === undefined && location === undefined) return undefined;
  return [
    {
      ...wholeGapOf(item),
      ...(fix.trim() !== '' && { suggestedFix: fix }),
      ...(evidence !== undefined && { evidence }),
      ...(location !== undefined && { location }),
    },
  ];
}

function checkedVerdict(
  item: ChecklistItem,
  verdict: ItemResult,
): Pick<ChecklistItem, 'status' | 'finding'> {
  const status = verdict.status.trim().toUpperCase();
  if (status !== 'PASS' && status !== 'FAIL')
    throw refused(`Invalid status: ${verdict.status}. Must be PASS or FAIL.`);
  if (item.status === 'PASS')
    throw refused(`Item ${item.id} has terminal status PASS. Cannot transition to ${status}.`);
  const finding = verdict.finding?.trim() ?? '';
  if (status === 'FAIL' && finding === '')
    throw refused('Status FAIL requires --finding to explain what failed.');
  if (status === 'PASS' && verdict.finding !== undefined)
    throw refused('Status PASS forbids --finding. PASS means no issues found.');
  return { status, finding: status === 'FAIL' ? finding : null };
}

/** Makes items TODO again: what a fixer does with what failed, and the gate with what has changed since it passed. */
export function withReset(
  state: ChecklistState,
  ids: ReadonlySet<string>,
  iteration = state.iteration,
): ChecklistState {
  const items = state.items.map(
    (item): ChecklistItem =>
      ids.has(item.id) && item.status !== 'TODO'
        ? { ...bare(item), status: 'TODO', finding: null, iteration, version: item.version + 1 }
        : item,
  );
  return { ...state, iteration, items };
}

/**
 * Records who lets the failure of an item through, and why. It holds until the item is verified again.
 *
 * @throws ReviewLoopError `checklist_item_unknown`, `checklist_transition`, `reason_required`
 */
export function withAcceptance(
  state: ChecklistState,
  id: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): ChecklistState {
  const item = itemIn(state, id);
  if (reason.trim() === '' || by.trim() === '')
    throw new ReviewLoopError(
      'reason_required',
      `item ${id} was to be accepted without ${by.trim() === '' ? 'a name' : 'a reason'}`,
    );
  if (item.status !== 'FAIL')
    throw refused(`Item ${id} has status ${item.status}. Only FAIL can be accepted.`);
  return replaced(state, {
    ...item,
    accepted: { by: by.trim(), reason: reason.trim() },
    version: item.version + 1,
  });
}

/** @throws ReviewLoopError `checklist_item_unknown` */
export function itemIn({ phase, items }: ChecklistState, id: string): ChecklistItem {
  const item = items.find((candidate) => candidate.id === id);
  if (item === undefined)
    throw new ReviewLoopError(
      checklistErrors.checklist_item_unknown,
      `Item ${id} not found in qr-${phase}.json`,
      { value: id },
    );
  return item;
}

/** An item without what its last verdict said. */
function bare({
  gaps: _gaps,
  about: _about,
  judged: _judged,
  accepted: _accepted,
  ...item
}: ChecklistItem): ChecklistItem {
  return item as ChecklistItem;
}

function replaced(state: ChecklistState, item: ChecklistItem): ChecklistState {
  return { ...state, items: state.items.map((other) => (other.id === item.id ? item : other)) };
}

function refused(message: string): ReviewLoopError {
  return new ReviewLoopError(checklistErrors.checklist_transition, message);
}
