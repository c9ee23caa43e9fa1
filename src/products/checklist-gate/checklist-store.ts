import { ReviewLoopError } from '../../core/errors.js';
import { copyJson } from '../../core/json.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import type { AuditRecord } from '../../ports/audit-chain.js';
import type { ChecklistItem, ChecklistPhase, ChecklistState } from './checklist.js';
import { checklistErrors } from './errors.js';

/**
 * Stores the states of checklists: `fileChecklists` in files, `memoryChecklists` in this process. A
 * store never resets a state. An unreadable state is an error.
 */
export interface ChecklistStore {
  /**
   * Returns the state of a phase, `undefined` before its first one.
   *
   * @throws ReviewLoopError `checklist_corrupt`, `checklist_newer`, `checklist_unavailable`
   */
  readonly read: (phase: ChecklistPhase) => Promise<ChecklistState | undefined>;
  /**
   * Changes the state of a phase under exclusive access and returns the new state. `change`
   * receives `undefined` before the first state. The result is stored whole or not at all. A
   * change that throws, or that returns its argument, changes nothing.
   *
   * A store may call `change` again, with a newer state, if another process was faster. Let it
   * compute only: what it does besides may happen twice, and only its last result counts.
   *
   * @throws ReviewLoopError the errors of `read`
   */
  readonly update: (
    phase: ChecklistPhase,
    change: (state: ChecklistState | undefined) => ChecklistState,
  ) => Promise<ChecklistState>;
}

export interface StoredChecklist {
  readonly store: ChecklistStore;
  readonly phase: ChecklistPhase;
}

export async function readState({ store, phase }: StoredChecklist): Promise<ChecklistState> {
  const state = await store.read(phase);
  if (state === undefined) throw checklistMissing(phase);
  return state;
}

export function changeState(
  { store, phase }: StoredChecklist,
  change: (state: ChecklistState) => ChecklistState,
): Promise<ChecklistState> {
  return store.update(phase, (state) => {
    if (state === undefined) throw checklistMissing(phase);
    return change(state);
  });
}

export function checklistMissing(phase: ChecklistPhase): ReviewLoopError {
  return new ReviewLoopError(
    checklistErrors.checklist_missing,
    `QR state file not found: qr-${phase}.json`,
    {
      value: phase,
    },
  );
}

/**
 * Creates a store of checklists in the memory of this process.
 *
 * @example
 * ```ts
 * const store = memoryChecklists();
 * const gate = new ChecklistGate({ phase: 'plan-structure', decompose, store });
 * ```
 */
export function memoryChecklists(): ChecklistStore {
  const states = new Map<ChecklistPhase, ChecklistState>();
  return {
    read: async (phase) => states.get(phase),
    update: async (phase, change) => {
      const next = copyJson(change(states.get(phase)), { freeze: true });
      states.set(phase, next);
      return next;
    },
  };
}

/** Returns a store that takes no acceptance without its record in an audit log. */
export function recordedChecklists(
  store: ChecklistStore,
  audit: () => Promise<{ readonly intact: boolean; readonly records: readonly AuditRecord[] }>,
): ChecklistStore {
  const without = async (state: ChecklistState | undefined): Promise<ReadonlySet<string>> => {
    const accepted = (state?.items ?? []).filter((item) => item.accepted !== undefined);
    if (accepted.length === 0) return new Set();
    const { intact, records } = await audit();
    const isRecorded = (item: ChecklistItem): boolean =>
      intact && records.some((record) => isAbout(record, item, state?.phase));
    return new Set(accepted.filter((item) => !isRecorded(item)).map(keyOf));
  };
  return {
    read: async (phase) => {
      const state = await store.read(phase);
      return state && stripped(state, await without(state));
    },
    update: async (phase, change) => {
      const unrecorded = await without(await store.read(phase));
      return store.update(phase, (now) => change(now && stripped(now, unrecorded)));
    },
  };
}

function isAbout(
  { kind, who, reason, verdict, details }: AuditRecord,
  { id, finding, accepted }: ChecklistItem,
  phase: string | undefined,
): boolean {
  if (who !== accepted?.by || reason !== accepted.reason) return false;
  return (
    kind === 'override' ||
    (kind === 'checklist.accept' &&
      details?.['item'] === id &&
      details['phase'] === phase &&
      verdict === redactSecrets(`FAIL: ${finding ?? ''}`))
  );
}

function stripped(state: ChecklistState, unrecorded: ReadonlySet<string>): ChecklistState {
  if (!state.items.some((item) => unrecorded.has(keyOf(item)))) return state;
  const items = state.items.map((item) =>
    unrecorded.has(keyOf(item)) ? { ...item, accepted: undefined } : item,
  );
  return { ...state, items };
}

function keyOf({ id, version, accepted }: ChecklistItem): string {
  return JSON.stringify([id, version, accepted]);
}
