import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { type AuditMark, checkedEntry, nextRecord } from '../../ports/audit-chain.js';
import type { AuditSink } from '../../ports/audit-sink.js';
import type { Clock } from '../../ports/clock.js';
import { portErrors } from '../../ports/errors.js';
import { plainText } from '../plain-text.js';
import { auditColumns, lastMark } from '../rows/audit-row.js';
import { type Database, insertRow, type Tables } from './database.js';

/** Returns the audit log in a database. */
export function auditIn(database: Database, clock: Clock): AuditSink {
  return {
    record: async (given) => {
      const entry = checkedEntry(given);
      try {
        return await database.write((tables) => {
          const record = nextRecord(entry, {
            last: lastOf(tables, database.name),
            at: new Date(clock.now()).toISOString(),
          });
          const { seq, hash, runId } = record;
          insertRow(tables, 'audit', auditColumns(record));
          if (runId !== undefined)
            tables.run(
              'UPDATE runs SET audit_seq = ?, audit_hash = ? WHERE run_id = ?',
              seq,
              hash,
              plainText(runId),
            );
          return { seq, hash };
        });
      } catch (error) {
        if (isReviewError(error) && error.code.startsWith('audit_')) throw error;
        throw new ReviewLoopError(
          portErrors.audit_unwritable,
          `cannot write the audit log in ${database.name}: ${messageOf(error)}`,
          { cause: error, value: database.name },
        );
      }
    },
  };
}

function lastOf(tables: Tables, database: string): AuditMark | undefined {
  const [row] = tables.all('SELECT line FROM audit ORDER BY seq DESC LIMIT 1');
  return row === undefined ? undefined : lastMark(String(row['line']), database);
}
