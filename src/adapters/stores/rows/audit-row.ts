import { type AuditMark, type AuditRecord, auditLine } from '../../../ports/audit-chain.js';
import { lastMark } from '../audit-sink.js';
import {
  type AuditVerification,
  type DueRecord,
  type VerifyAuditOptions,
  verifyLines,
} from '../file/verify-audit.js';
import { optional, required, table } from './columns.js';
import type { TableDatabase } from './table-database.js';

/** @param row - The last row of the log, if there is one. */
export function markIn(
  row: Readonly<Record<string, unknown>> | undefined,
  log: string,
): AuditMark | undefined {
  const line = row?.['line'] ?? undefined;
  return line === undefined ? undefined : lastMark(String(line), log);
}

/** Texts for people, and the exact line. */
export const auditRows = table<AuditRecord>('audit', 'seq', {
  seq: required.place(({ seq }) => seq),
  at: required.text(({ at }) => at),
  kind: required.text(({ kind }) => kind),
  who: required.text(({ who }) => who),
  run_id: optional.text(({ runId }) => runId),
  version: optional.text(({ version }) => version),
  request: optional.text(({ request }) => request),
  verdict: optional.text(({ verdict }) => verdict),
  decision: optional.text(({ decision }) => decision),
  reason: optional.shown(({ reason }) => reason),
  line: required.exact(auditLine),
});

const most = 1000;

/** Does what `verifyAudit` does for a directory. */
export async function verifyTable(
  database: TableDatabase,
  options: VerifyAuditOptions,
): Promise<AuditVerification> {
  // read the marks first: a record that is written meanwhile must not look missing
  const rows = await database.ask(
    `SELECT run_id, audit_seq, audit_hash FROM ${database.schema}.runs WHERE audit_seq IS NOT NULL`,
  );
  const marks = rows.map(
    ({ run_id: runId, audit_seq: seq, audit_hash: hash }): DueRecord => ({
      seq: Number(seq),
      hash,
      by: `run ${String(runId)}`,
    }),
  );
  return verifyLines(linesOf(database), marks, options);
}

async function* linesOf(database: TableDatabase): AsyncGenerator<string> {
  let last: unknown = -1;
  while (last !== undefined) {
    const rows = await database.ask(
      `SELECT seq, line FROM ${database.schema}.audit WHERE seq > $1::bigint ORDER BY seq LIMIT $2::int`,
      [Number(last), most],
    );
    yield* rows.map(({ line }) => String(line));
    last = rows.at(-1)?.['seq'];
  }
}
