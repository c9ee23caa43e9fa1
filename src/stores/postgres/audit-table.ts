import { mutex } from '../../core/mutex.js';
import {
  type AuditEntry,
  type AuditMark,
  type AuditRecord,
  type AuditSink,
  nextRecord,
} from '../../ports/audit-chain.js';
import { systemRandom } from '../../ports/random.js';
import { auditColumns, auditOver, lastMark } from '../rows/audit-row.js';
import { plainText } from '../rows/table-database.js';
import type { PostgresDatabase } from './postgres-database.js';

/**
 * Returns the audit log in a database. Writers take no lock: each chains its record to the last
 * one, and of those with the same number one wins. The others chain theirs again.
 */
export function auditIn(database: PostgresDatabase): AuditSink {
  // records of one process do not compete with each other
  const turn = mutex();
  return auditOver(database.name, (entry) => turn(() => chained(database, entry)));
}

async function chained(database: PostgresDatabase, entry: AuditEntry): Promise<AuditMark> {
  // equal entries of two writers are two records: the token says whose a record is
  const token = systemRandom.nonce();
  for (;;) {
    const record = nextRecord(entry, await lastOf(database));
    if (await insertRecord(database, record, token)) return { seq: record.seq, hash: record.hash };
  }
}

/** Returns the mark of the last record, and the time of the server. */
async function lastOf(
  database: PostgresDatabase,
): Promise<{ readonly last: AuditMark | undefined; readonly at: string }> {
  const [row] = await database.ask(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
       (SELECT line FROM ${database.schema}.audit ORDER BY seq DESC LIMIT 1) AS line`,
  );
  const line = row?.['line'] ?? undefined;
  return {
    last: line === undefined ? undefined : lastMark(String(line), database.name),
    at: new Date(Math.floor(Number(row?.['now']))).toISOString(),
  };
}

/**
 * Inserts a record, and returns whether its number was free. The run gets its mark with it.
 *
 * @param token - Identifies the record, if the statement runs twice.
 */
export async function insertRecord(
  database: PostgresDatabase,
  record: AuditRecord,
  token: string,
): Promise<boolean> {
  const columns = Object.entries(auditColumns(record));
  const names = columns.map(([name]) => name);
  const rows = await database.ask(
    `WITH written AS (
       INSERT INTO ${database.schema}.audit AS known (${names.join(', ')}, token)
       VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}, $${names.length + 1})
       ON CONFLICT (seq) DO UPDATE SET token = known.token WHERE known.token = excluded.token
       RETURNING seq
     ), marked AS (
       UPDATE ${database.schema}.runs SET audit_seq = $${names.length + 2}::bigint,
         audit_hash = $${names.length + 3}::text
       WHERE run_id = $${names.length + 4}::text
         AND (audit_seq IS NULL OR audit_seq < $${names.length + 2}::bigint)
         AND EXISTS (SELECT FROM written)
     )
     SELECT seq FROM written`,
    [...columns.map(([, value]) => value), token, record.seq, record.hash, plainText(record.runId)],
  );
  return rows.length === 1;
}
