import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import {
  AuditChain,
  type AuditEntry,
  type AuditMark,
  type AuditRecord,
  type AuditSink,
  auditLine,
  checkedEntry,
} from '../../ports/audit-chain.js';
import { portErrors } from '../../ports/errors.js';
import { storeErrors } from '../errors.js';
import { plainText, shownText } from '../plain-text.js';

/** Returns the audit log of a database. `record` writes an entry behind the last one. */
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

/** Returns the columns of a record of the audit log: texts for people, and the exact line. */
export function auditColumns(
  record: AuditRecord,
): Readonly<Record<string, string | number | null>> {
  return {
    seq: record.seq,
    at: record.at,
    kind: record.kind,
    who: plainText(record.who),
    run_id: plainText(record.runId),
    version: plainText(record.version),
    request: plainText(record.request),
    verdict: plainText(record.verdict),
    decision: plainText(record.decision),
    reason: shownText(record.reason),
    line: auditLine(record),
  };
}

/**
 * Returns the mark of the last line of a log, after checking its hash.
 *
 * @param database - Its name in messages.
 * @throws ReviewLoopError `audit_corrupt`
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
