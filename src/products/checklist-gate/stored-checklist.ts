import { ReviewLoopError } from '../../core/errors.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import type { AuditRecord } from '../../ports/audit-chain.js';
import type {
  ChecklistItem,
  ChecklistPhase,
  ChecklistState,
} from '../../ports/checklist/checklist-state.js';
import type { ChecklistStore } from '../../ports/checklist/checklist-store.js';
import { checklistErrors } from './errors.js';

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
