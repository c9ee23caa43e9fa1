import { digestOf } from '../core/json.js';
import type { ChecklistItem, ChecklistState } from './checklist.js';
import type { GateSettings } from './gate-settings.js';
import { type GateStatus, gateStatus } from './gate-status.js';
import { itemReviewers, taskOf } from './item-reviewer.js';

/** The digests of the content that a result of an item is about. */
type ItemInputs = NonNullable<ChecklistItem['about']>;

/** Returns the status of a state; with a work, a PASS for other content counts as unverified. */
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

/**
 * Returns the inputs of each item for a work, by the id of the item. It omits an item whose scope
 * cannot be read.
 */
export function itemInputs<Work>(
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
