import { ReviewLoopError } from '../../core/errors.js';
import type { Location } from '../../core/gap.js';
import { isVisible } from '../../core/human.js';
import { engineErrors } from '../../engine/errors.js';
import {
  type ChecklistItem,
  type ChecklistPhase,
  type ChecklistState,
  checklistSeverity,
} from '../../ports/checklist/checklist-state.js';
import { type ChecklistDraft, ChecklistDraftSchema, gapsOfDetails } from './checklist.js';
import { checklistErrors } from './errors.js';

export interface ItemResult {
  /** PASS or FAIL, in any case. */
  readonly status: string;
  /** The reason for a FAIL. FAIL requires it, PASS forbids it. */
  readonly finding?: string | undefined;
  /** Replaces the severity of the item: MUST, SHOULD, MAY or an alias. @default unchanged */
  readonly severity?: string | undefined;
  /** The fix. @default derived from the item's check */
  readonly fix?: string | undefined;
  /** A quote from the work that shows the problem. */
  readonly evidence?: string | undefined;
  readonly location?: Location | undefined;
  /** The problems in detail; they replace `fix`, `evidence` and `location`. */
  readonly gaps?: ChecklistItem['gaps'];
  readonly judged?: ChecklistItem['judged'];
  /** Digests of the content that the verifier judged. */
  readonly about?: ChecklistItem['about'];
}

export function newChecklist(
  phase: ChecklistPhase,
  drafts: readonly ChecklistDraft[],
  { allowEmpty = false }: { readonly allowEmpty?: boolean } = {},
): ChecklistState {
  if (drafts.length === 0 && !allowEmpty)
    throw new ReviewLoopError(
      checklistErrors.checklist_empty,
      `the decomposition of ${phase} returned no items`,
    );
  const items = drafts.map((draft, index) => newItem(phase, draft, index + 1));
  return { schema_version: '1.1', phase, iteration: 1, items };
}

function newItem(phase: ChecklistPhase, draft: ChecklistDraft, number: number): ChecklistItem {
  const { data, error } = ChecklistDraftSchema.safeParse(draft);
  if (data === undefined) {
    const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ReviewLoopError(
      checklistErrors.checklist_item_invalid,
      `item ${number} of ${phase} is invalid: ${problems.join('; ')}`,
      { value: draft },
    );
  }
  const { scope, check, severity = 'MUST', rule } = data;
  return {
    id: `${phase}-${String(number).padStart(3, '0')}`,
    scope,
    check,
    status: 'TODO',
    finding: null,
    severity,
    iteration: 1,
    version: 1,
    ...(rule !== undefined && { rule }),
  };
}

/** TODO and FAIL become PASS or FAIL; PASS is final. */
export function withResult(state: ChecklistState, id: string, result: ItemResult): ChecklistState {
  const item = itemIn(state, id);
  const { status, finding } = checkedResult(item, result);
  const severity =
    result.severity === undefined ? item.severity : checklistSeverity(result.severity);
  if (severity === undefined)
    throw refused(`Invalid severity: ${result.severity}. Must be MUST, SHOULD, or MAY`);
  const { about, judged } = result;
  const next: ChecklistItem = {
    ...withoutResult(item),
    status,
    finding,
    severity,
    iteration: state.iteration,
    version: item.version + 1,
  };
  const gaps = result.gaps ?? (status === 'FAIL' ? gapsOfDetails(next, result) : undefined);
  return withItem(state, {
    ...next,
    ...(gaps !== undefined && { gaps }),
    ...(about !== undefined && { about }),
    ...(judged !== undefined && { judged }),
  });
}

function checkedResult(
  item: ChecklistItem,
  result: ItemResult,
): Pick<ChecklistItem, 'status' | 'finding'> {
  const status = result.status.trim().toUpperCase();
  if (status !== 'PASS' && status !== 'FAIL')
    throw refused(`Invalid status: ${result.status}. Must be PASS or FAIL.`);
  if (item.status === 'PASS')
    throw refused(`Item ${item.id} has terminal status PASS. Cannot transition to ${status}.`);
  const finding = result.finding?.trim() ?? '';
  if (status === 'FAIL' && finding === '')
    throw refused('Status FAIL requires --finding to explain what failed.');
  if (status === 'PASS' && result.finding !== undefined)
    throw refused('Status PASS forbids --finding. PASS means no issues found.');
  return { status, finding: status === 'FAIL' ? finding : null };
}

export function withReset(
  state: ChecklistState,
  ids: ReadonlySet<string>,
  iteration = state.iteration,
): ChecklistState {
  const items = state.items.map(
    (item): ChecklistItem =>
      ids.has(item.id) && item.status !== 'TODO'
        ? {
            ...withoutResult(item),
            status: 'TODO',
            finding: null,
            iteration,
            version: item.version + 1,
          }
        : item,
  );
  return { ...state, iteration, items };
}

/** Holds until the next verification. */
export function withAcceptance(
  state: ChecklistState,
  id: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): ChecklistState {
  const item = itemIn(state, id);
  if (reason.trim() === '' || !isVisible(by))
    throw new ReviewLoopError(
      engineErrors.reason_required,
      `cannot accept item ${id} without ${isVisible(by) ? 'a reason' : 'a name (by)'}`,
    );
  if (item.status !== 'FAIL')
    throw refused(`Item ${id} has status ${item.status}. Only FAIL can be accepted.`);
  return withItem(state, {
    ...item,
    accepted: { by: by.trim(), reason: reason.trim() },
    version: item.version + 1,
  });
}

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

function withoutResult({
  gaps: _gaps,
  about: _about,
  judged: _judged,
  accepted: _accepted,
  ...item
}: ChecklistItem): ChecklistItem {
  return item as ChecklistItem;
}

function withItem(state: ChecklistState, item: ChecklistItem): ChecklistState {
  return { ...state, items: state.items.map((other) => (other.id === item.id ? item : other)) };
}

function refused(message: string): ReviewLoopError {
  return new ReviewLoopError(checklistErrors.checklist_transition, message);
}
