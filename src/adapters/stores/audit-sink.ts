import { isReviewError, ReviewLoopError } from '../../core/errors.js';
import { systemReason } from '../../node/files.js';
import {
  AuditChain,
  type AuditEntry,
  type AuditMark,
  type AuditSink,
  checkedEntry,
} from '../../ports/audit-chain.js';
import { portErrors } from '../../ports/errors.js';
import { storeErrors } from './errors.js';

/**
 * @param log - The name of the log in messages.
 * @param record - Writes an entry behind the last one.
 */
export function auditSink(
  log: string,
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
          `cannot write ${log}: ${systemReason(error)}`,
          { cause: error, value: log },
        );
      }
    },
  };
}

/** Checks the hash of the last line of a log, but not its place in the chain. */
export function lastMark(line: string, log: string): AuditMark {
  const { record, problems } = new AuditChain().next(line);
  if (record !== undefined && problems.every(({ problem }) => problem !== 'changed'))
    return { seq: record.seq, hash: record.hash };
  throw new ReviewLoopError(storeErrors.audit_corrupt, `the last record of ${log} was changed`, {
    value: log,
  });
}
