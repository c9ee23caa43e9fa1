import {
  type AuditVerification,
  type DueRecord,
  type VerifyAuditOptions,
  verifyLines,
} from '../file/verify-audit.js';
import type { TableDatabase } from './table-database.js';

/** Number of rows read at a time. */
const most = 1000;

/** Verifies the audit log of a database, as `verifyAudit` does for a directory. */
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
  return verifyLines(linesOf(database), { ...options, marks });
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
