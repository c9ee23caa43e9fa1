import type { AuditRecord } from '../../ports/audit-chain.js';
import { redactSecrets } from '../../redact/secrets.js';
import { verifyAudit } from '../../stores/file/index.js';
import type { ChecklistItem, ChecklistState } from '../checklist.js';
import type { ChecklistStore } from '../checklist-store.js';

/** Returns a store that takes no acceptance without its record in an audit log. */
export function recordedChecklists(store: ChecklistStore, audit: string): ChecklistStore {
  const without = async (state: ChecklistState | undefined): Promise<ReadonlySet<string>> => {
    const accepted = (state?.items ?? []).filter((item) => item.accepted !== undefined);
    if (accepted.length === 0) return new Set();
    const records: AuditRecord[] = [];
    const { intact } = await verifyAudit(audit, {
      onRecord: (record) => void records.push(record),
    });
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

/** Whether a record is the decision of the person whom an item names, about its finding. */
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
