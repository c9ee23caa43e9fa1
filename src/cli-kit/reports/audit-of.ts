import type { AuditRecord } from '../../ports/audit-chain.js';
import type { HtmlReportOptions } from '../../reports/html/html-report-options.js';
import type { StoreHandle } from '../store-handle.js';

/** Returns the log of decisions of a store as a page shows it, and whether it is intact. */
export async function auditOf(
  store: Pick<StoreHandle, 'verifyAudit'>,
): Promise<HtmlReportOptions['audit']> {
  const records: AuditRecord[] = [];
  const { intact, problems } = await store.verifyAudit({
    onRecord: (record) => void records.push(record),
  });
  return {
    intact,
    problem: problems[0]?.what,
    records: records.map(({ runId, at, who, kind, decision, reason, seq, hash }) => ({
      seq,
      hash,
      runId,
      at,
      by: who,
      action: decision === undefined ? kind : `${kind}: ${decision}`,
      reason: reason ?? '',
    })),
  };
}
