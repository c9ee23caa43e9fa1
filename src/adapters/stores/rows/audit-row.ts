import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import {
  AuditChain,
  type AuditEntry,
  type AuditMark,
  type AuditRecord,
  type AuditSink,
  auditLine,
  checkedEntry,
} from '../../../ports/audit-chain.js';
import { portErrors } from '../../../ports/errors.js';
import { storeErrors } from '../errors.js';
import {
  type AuditVerification,
  type DueRecord,
  type VerifyAuditOptions,
  verifyLines,
} from '../file/verify-audit.js';
import { optional, required, table } from './columns.js';
import type { TableDatabase } from './table-database.js';

/** `record` writes an entry behind the last one. */
export function auditOver(
  database: string,
  record: (entry: AuditEntry) => Promise<AuditMark>,
): AuditSink {
  return {
    record: async (given) => {
      const entry = checkedEntry(given);
      try {
        return await record(entry);
      } catch (error) {
        if (isReviewError(error) && error.code.startsWith('audit_')) throw error;
        throw new ReviewLoopError(
          portErrors.audit_unwritable,
          `cannot write the audit log in ${database}: ${messageOf(error)}`,
          { cause: error, value: database },
        );
      }
    },
  };
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

/**
 * Checks the hash of the line.
 *
 * @param database - Its name in messages.
 */
export function lastMark(line: string, database: string): AuditMark {
  const { record, problems } = new AuditChain().next(line);
  if (record !== undefined && problems.every(({ problem }) => problem !== 'changed'))
    return { seq: record.seq, hash: record.hash };
  throw new ReviewLoopError(
    storeErrors.audit_corrupt,
    `the last record of the audit log in ${database} was changed`,
    { value: database },
  );
}

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
