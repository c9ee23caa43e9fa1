import { type AuditMark, type AuditSink, nextRecord } from '../../ports/audit-chain.js';
import { plainText } from '../plain-text.js';
import { auditColumns, auditOver, lastMark } from '../rows/audit-row.js';
import { type Database, insertRow, type Tables } from './database.js';

/** Returns the audit log in a database. */
export function auditIn(database: Database): AuditSink {
  return auditOver(database.name, (entry) =>
    database.write((tables) => {
      const record = nextRecord(entry, {
        last: lastOf(tables, database.name),
        at: new Date(database.clock.now()).toISOString(),
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
    }),
  );
}

function lastOf(tables: Tables, database: string): AuditMark | undefined {
  const [row] = tables.all('SELECT line FROM audit ORDER BY seq DESC LIMIT 1');
  return row === undefined ? undefined : lastMark(String(row['line']), database);
}
