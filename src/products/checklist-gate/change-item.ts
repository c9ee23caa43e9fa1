import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { severityAtLeast } from '../../core/gap.js';
import { digestOf } from '../../core/json.js';
import { redactJson } from '../../core/redact/redact-json.js';
import {
  type ChecklistItem,
  type ChecklistState,
  checklistSeverity,
} from '../../ports/checklist/checklist-state.js';
import { portErrors } from '../../ports/errors.js';
import { gapSeverityOf } from './checklist.js';
import { checklistErrors } from './errors.js';
import type { GateSettings } from './gate-settings.js';
import { ChecklistLoopState, type GateStatus, gateStatus } from './gate-status.js';
import { itemReviewers, taskOf } from './item-reviewer.js';
import { changeState, readState } from './stored-checklist.js';
import { type ItemResult, itemIn, withAcceptance, withReset, withResult } from './transitions.js';

export async function updateItem<Work>(
  settings: GateSettings<Work>,
  id: string,
  { result, work }: { readonly result: ItemResult; readonly work: Work | undefined },
): Promise<ChecklistItem> {
  const inputs =
    work === undefined ? undefined : itemInputs(settings, await readState(settings), work);
  const about = inputs?.get(id);
  const state = await changeState(settings, (now) => {
    // a PASS for other content is no longer final
    const passed = now.items.find((item) => item.id === id && item.status === 'PASS');
    checkRule(settings, itemIn(now, id), result);
    const isStale =
      passed?.about !== undefined &&
      about !== undefined &&
      digestOf(passed.about) !== digestOf(about);
    return withResult(isStale ? withReset(now, new Set([id])) : now, id, { ...result, about });
  });
  return itemIn(state, id);
}

/**
 * Only its content, or a person, changes what a rule of code says: nobody writes a PASS over it, or
 * makes its failure milder.
 */
function checkRule<Work>(
  { rules }: GateSettings<Work>,
  { id, rule, severity }: ChecklistItem,
  { status, severity: given }: ItemResult,
): void {
  if (rule === undefined || !rules.has(rule)) return;
  const isMilder =
    given !== undefined &&
    !severityAtLeast(gapSeverityOf(checklistSeverity(given) ?? severity), gapSeverityOf(severity));
  if (isMilder || status.trim().toUpperCase() === 'PASS')
    throw new ReviewLoopError(
      checklistErrors.checklist_transition,
      `Item ${id} is verified by the rule ${rule}. Change its content, and verify again.`,
    );
}

/** Failed items that block become TODO. */
export async function beginIteration<Work>(
  settings: GateSettings<Work>,
  work: Work | undefined,
): Promise<void> {
  await changeState(settings, (state) => {
    const { failed } = gateStatus(state, settings);
    if (failed.length === 0) return state;
    const inputs = work === undefined ? undefined : itemInputs(settings, state, work);
    const isChanged = failed.some(
      ({ id, about }) => about !== undefined && inputs?.get(id)?.view !== about.view,
    );
    const next = withReset(state, new Set(failed.map(({ id }) => id)), state.iteration + 1);
    return inputs === undefined || isChanged
      ? next
      : { ...next, unchanged: (state.unchanged ?? 0) + 1 };
  });
}

/**
 * Call it only after the gate has asked a person. The audit log records it first, without secrets.
 */
export async function acceptItem<Work>(
  settings: GateSettings<Work>,
  id: string,
  answer: { readonly by: string; readonly reason: string },
): Promise<ChecklistItem> {
  const { phase } = settings;
  const given = redactJson(answer);
  const state = await readState(settings);
  const item = itemIn(withAcceptance(state, id, given), id);
  if (gateStatus(state, settings).loop !== ChecklistLoopState.ESCALATED)
    throw new ReviewLoopError(
      checklistErrors.checklist_not_escalated,
      `Item ${id} cannot be accepted yet: the gate of ${phase} has not asked a person`,
    );
  await auditAcceptance(settings, item, given);
  return itemIn(await changeState(settings, (now) => withAcceptance(now, id, given)), id);
}

async function auditAcceptance<Work>(
  { phase, ports }: GateSettings<Work>,
  item: ChecklistItem,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  try {
    await ports.audit?.record({
      kind: 'checklist.accept',
      who: by.trim(),
      verdict: `FAIL: ${item.finding ?? ''}`,
      decision: 'accept',
      reason: reason.trim(),
      details: { phase, item: item.id },
    });
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw new ReviewLoopError(
      portErrors.audit_unwritable,
      `the audit log refused the acceptance of ${item.id}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

type ItemInputs = NonNullable<ChecklistItem['about']>;

/** With a work, a PASS for other content counts as unverified. */
export function workStatus<Work>(
  settings: GateSettings<Work>,
  state: ChecklistState,
  work?: Work,
): GateStatus {
  if (work === undefined) return gateStatus(state, settings);
  const inputs = itemInputs(settings, state, work);
  return gateStatus(state, settings, ({ id, about }) => {
    const now = inputs.get(id);
    return about !== undefined && (now === undefined || digestOf(now) !== digestOf(about));
  });
}

/** Keys are ids of items; omits an item whose scope cannot be read. */
function itemInputs<Work>(
  settings: GateSettings<Work>,
  { items, iteration }: ChecklistState,
  work: Work,
): ReadonlyMap<string, ItemInputs> {
  const task = taskOf(settings);
  const taskDigest = digestOf(task);
  const output = { cycle: 0, work };
  const inputs = new Map<string, ItemInputs>();
  const reviewers = itemReviewers(settings, items, { verdicts: { begin }, from: iteration });
  for (const { id, version, scope } of reviewers) {
    try {
      inputs.set(id, { version, task: taskDigest, view: digestOf(scope({ task, output })) });
    } catch {
      // the scope of this item cannot be read
    }
  }
  return inputs;
}

/** Does nothing, because no review runs here. */
function begin(): void {}
