import type { ReadableLessonStore } from '../../../blocks/lessons/lesson-store.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import type { AttemptStore } from '../../../ports/attempt-store.js';
import {
  type AuditEntry,
  type AuditMark,
  type AuditRecord,
  type AuditSink,
  nextRecord,
} from '../../../ports/audit-chain.js';
import type { ChecklistPhase, ChecklistState } from '../../../ports/checklist/checklist-state.js';
import type { ChecklistStore } from '../../../ports/checklist/checklist-store.js';
import { storedChecklistErrors } from '../../../ports/checklist/errors.js';
import { decodeChecklist, encodeChecklist } from '../../../ports/checklist/state-format.js';
import { systemRandom } from '../../../ports/random.js';
import type { VerdictStore } from '../../../ports/verdict-store.js';
import { auditSink } from '../audit-sink.js';
import type { AuditVerification, VerifyAuditOptions } from '../file/verify-audit.js';
import { auditRows, markIn } from '../rows/audit-row.js';
import { type LessonLine, lessonRows } from '../rows/lesson-rows.js';
import { plainText, type TableRow } from '../rows/table-database.js';
import { type TableOptions, tableStores } from '../rows/table-stores.js';
import type { PruneVerdictsOptions } from '../store-options.js';
import type { PostgresDatabase } from './postgres-database.js';

export interface PostgresTables {
  /** The verdict cache, for `verdicts` of a pipeline. */
  readonly verdicts: VerdictStore;
  /** Lessons, for `learn` of a pipeline. */
  readonly lessons: ReadableLessonStore;
  /** The audit log, for `audit` of a pipeline. */
  readonly audit: AuditSink;
  /** Attempts at tasks, for `attempts` of a `TaskReview`. */
  readonly attempts: AttemptStore;
  /** Verifies that the audit log is unchanged, and that it contains all records that runs know. */
  readonly verifyAudit: (options?: VerifyAuditOptions) => Promise<AuditVerification>;
  /** Removes old verdicts and returns their number. */
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
  /** The states of checklists, for `store` of a `ChecklistGate`. */
  readonly checklist: ChecklistStore;
}

interface PostgresTableOptions extends Pick<TableOptions, 'settings' | 'logger'> {
  readonly scope: string;
}

export function postgresTables(
  database: PostgresDatabase,
  { scope, ...options }: PostgresTableOptions,
): PostgresTables {
  const insert = (row: TableRow): Promise<boolean> => insertLesson(database, row);
  return {
    ...tableStores(database, { ...options, insert, audit: auditIn(database) }),
    checklist: checklistsIn(database, scope),
  };
}

/** The number of our locks on writing lessons; the second part is that of the schema. */
const lessonLock = 1_920_363_633;

/** Inserts a line of another store, unless the table has it; returns whether it did. */
export async function insertLessonLine(
  database: PostgresDatabase,
  line: LessonLine,
): Promise<boolean> {
  return insertLesson(database, lessonRows.row(line), 'WHERE NOT EXISTS (SELECT FROM known)');
}

async function insertLesson(
  database: PostgresDatabase,
  row: TableRow,
  where = '',
): Promise<boolean> {
  const table = `${database.schema}.lessons`;
  const names = Object.keys(row);
  // one writer at a time: otherwise a lower number may commit after a reader has passed it
  const rows = await database.ask(
    `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(${lessonLock}, hashtext($1))),
     known AS (SELECT FROM ${table} WHERE line = $2::text)
     INSERT INTO ${table} (${names.join(', ')})
     SELECT ${names.map((_, at) => `$${at + 3}::text`).join(', ')} FROM turn ${where}
     RETURNING 1`,
    [database.schema, row['line'] ?? null, ...Object.values(row)],
  );
  return rows.length > 0;
}

/**
 * Writers take no lock: each chains its record to the last one, and of those with the same number
 * one wins. The others chain theirs again.
 */
export function auditIn(database: PostgresDatabase): AuditSink {
  // records of one process do not compete with each other
  const turn = mutex();
  const log = `the audit log in ${database.name}`;
  return auditSink(log, (entry) => turn(() => chained(database, entry, log)));
}

async function chained(
  database: PostgresDatabase,
  entry: AuditEntry,
  log: string,
): Promise<AuditMark> {
  // equal entries of two writers are two records: the token says whose a record is
  const token = systemRandom.nonce();
  for (;;) {
    const [row] = await database.ask(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
         (SELECT line FROM ${database.schema}.audit ORDER BY seq DESC LIMIT 1) AS line`,
    );
    const at = new Date(Math.floor(Number(row?.['now']))).toISOString();
    const record = nextRecord(entry, { last: markIn(row, log), at });
    if (await insertRecord(database, record, token)) return { seq: record.seq, hash: record.hash };
  }
}

export async function insertRecord(
  database: PostgresDatabase,
  record: AuditRecord,
  token: string,
): Promise<boolean> {
  const columns = Object.entries(auditRows.row(record));
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

/** The next writer must still find the revision. */
interface Found {
  readonly revision: string;
  readonly state: ChecklistState;
}

/**
 * A change reads, computes, and writes if nobody wrote meanwhile; otherwise it computes again. A
 * revision is a random number, so that a statement that runs twice finds its own.
 *
 * @param scope - Keeps the checklists of one project apart from those of others.
 */
export function checklistsIn(database: PostgresDatabase, scope: string): ChecklistStore {
  const table = { database, scope };
  // changes of one process do not compete with each other
  const turn = mutex();
  return {
    read: async (phase) => (await found(table, phase))?.state,
    update: (phase, change) => turn(() => changed(table, phase, change)),
  };
}

async function changed(
  table: Table,
  phase: ChecklistPhase,
  change: Parameters<ChecklistStore['update']>[1],
): Promise<ChecklistState> {
  for (;;) {
    const before = await found(table, phase);
    const next = change(before?.state);
    if (before !== undefined && next === before.state) return next;
    const text = encodeChecklist(next);
    const state = stateOf(table, phase, text);
    if (await isWritten(table, phase, { text, revision: before?.revision })) return state;
  }
}

interface Table {
  readonly database: PostgresDatabase;
  readonly scope: string;
}

async function found(table: Table, phase: ChecklistPhase): Promise<Found | undefined> {
  const [row] = await asked(table, (checklists) => [
    `SELECT revision::text AS revision, body FROM ${checklists} WHERE scope = $1 AND phase = $2`,
    [table.scope, phase],
  ]);
  if (row === undefined) return undefined;
  return {
    revision: String(row['revision']),
    state: stateOf(table, phase, String(row['body'])),
  };
}

async function isWritten(
  table: Table,
  phase: ChecklistPhase,
  { text, revision }: { readonly text: string; readonly revision: string | undefined },
): Promise<boolean> {
  // the last 48 bits of an id are random
  const next = String(Number.parseInt(systemRandom.id().slice(-12), 16));
  const rows = await asked(table, (checklists) =>
    revision === undefined
      ? [
          `INSERT INTO ${checklists} AS known (scope, phase, revision, body)
           VALUES ($1, $2, $3::bigint, $4)
           ON CONFLICT (scope, phase) DO UPDATE SET body = excluded.body
           WHERE known.revision = excluded.revision
           RETURNING 1`,
          [table.scope, phase, next, text],
        ]
      : [
          `UPDATE ${checklists}
           SET revision = $3::bigint, body = $4, changed_at = clock_timestamp()
           WHERE scope = $1 AND phase = $2 AND revision IN ($5::bigint, $3::bigint)
           RETURNING 1`,
          [table.scope, phase, next, text, revision],
        ],
  );
  return rows.length === 1;
}

function stateOf({ database }: Table, phase: ChecklistPhase, text: string): ChecklistState {
  return decodeChecklist(text, { phase, where: `${database.name}, checklist ${phase}` });
}

async function asked(
  { database }: Table,
  make: (checklists: string) => [sql: string, values: string[]],
): ReturnType<PostgresDatabase['ask']> {
  try {
    return await database.ask(...make(`${database.schema}.checklists`));
  } catch (error) {
    if (isReviewError(error) && error.code.startsWith('checklist_')) throw error;
    throw new ReviewLoopError(
      storedChecklistErrors.checklist_unavailable,
      `the checklists in ${database.name}: ${messageOf(error)}`,
      { cause: error, retryable: true },
    );
  }
}
