import type { ChecklistStore } from '../../checklist-gate/checklist-store.js';
import type { LessonRecord } from '../../lessons/lesson-book.js';
import type { LessonSettings, ReadableLessonStore } from '../../lessons/lesson-store.js';
import type { AuditSink } from '../../ports/audit-chain.js';
import type { Logger } from '../../ports/logger.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { AttemptStore } from '../../task-review/attempt-store.js';
import type { PruneVerdictsOptions } from '../file/prune.js';
import {
  type AuditVerification,
  checkedVerification,
  type VerifyAuditOptions,
} from '../file/verify-audit.js';
import { type AttemptRow, attemptsIn } from '../rows/attempt-row.js';
import { verifyTable } from '../rows/audit-row.js';
import { type LessonRow, lessonRow, lessonsIn } from '../rows/lesson-rows.js';
import { pruneVerdictRows, verdictsIn } from '../rows/verdict-table.js';
import { auditIn } from './audit-table.js';
import { checklistsIn } from './checklist-table.js';
import { sqlStateOf } from './database-failures.js';
import type { PostgresDatabase } from './postgres-database.js';

export interface TableStores {
  /** The verdict cache, for `verdicts` of a pipeline. */
  readonly verdicts: VerdictStore;
  /** Lessons, for `learn` of a pipeline. */
  readonly lessons: ReadableLessonStore;
  /** The audit log, for `audit` of a pipeline. */
  readonly audit: AuditSink;
  /** Attempts at tasks, for `attempts` of a `TaskReview`. */
  readonly attempts: AttemptStore;
  /** The states of checklists, for `store` of a `ChecklistGate`. */
  readonly checklist: ChecklistStore;
  /** Verifies that the audit log is unchanged, and that it contains all records that runs know. */
  readonly verifyAudit: (options?: VerifyAuditOptions) => Promise<AuditVerification>;
  /** Removes old verdicts and returns their number. */
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
}

/** Options of {@link tableStores}. */
export interface TableOptions {
  readonly lessons: LessonSettings;
  readonly logger: Logger;
  /** Keeps the checklists of one project apart from those of others. */
  readonly scope: string;
}

export function tableStores(
  database: PostgresDatabase,
  { lessons, logger, scope }: TableOptions,
): TableStores {
  return {
    verdicts: verdictsIn(database),
    lessons: lessonsIn(database, {
      settings: lessons,
      logger,
      insert: (row) => insertLesson(database, row),
    }),
    audit: auditIn(database),
    attempts: attemptsIn(database, (row) => writeAttempt(database, row)),
    checklist: checklistsIn(database, scope),
    verifyAudit: async (asked = {}) => verifyTable(database, checkedVerification(asked)),
    pruneVerdicts: (asked) => pruneVerdictRows(database, asked),
  };
}

/** Another row has the same key. */
const taken = '23505';

/** Replaces an attempt in its place, or gives it the next number of its task. */
export async function writeAttempt(
  database: PostgresDatabase,
  { key, texts, numbers }: AttemptRow,
): Promise<void> {
  const table = `${database.schema}.attempts`;
  const columns = [
    ...texts.map(([name, value]) => ({ name, type: 'text', value })),
    ...numbers.map(([name, value]) => ({ name, type: 'float8', value })),
  ];
  const names = columns.map(({ name }) => name);
  const given = columns.map(({ type }, index) => `$${index + 4}::${type}`);
  const statement = `INSERT INTO ${table} (task_id, run_id, run_attempt, attempt, ${names.join(', ')})
    SELECT $1::text, $2::text, $3::int, coalesce(max(attempt), 0) + 1, ${given.join(', ')}
    FROM ${table} WHERE task_id = $1::text
    ON CONFLICT (task_id, run_id, run_attempt)
    DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  const values = [...key, ...columns.map(({ value }) => value)];
  for (;;) {
    try {
      await database.ask(statement, values);
      return;
    } catch (error) {
      // another writer took the number first: one of them always succeeds
      if (sqlStateOf(error) !== taken) throw error;
    }
  }
}

/** The number of our locks on writing lessons; the second part is that of the schema. */
const lessonLock = 1_920_363_633;

/** Inserts a line of another store, unless the table has it, and returns whether it was inserted. */
export async function insertLessonLine(
  database: PostgresDatabase,
  record: LessonRecord,
  line: string,
): Promise<boolean> {
  return insertLesson(database, lessonRow(record, line), 'WHERE NOT EXISTS (SELECT FROM known)');
}

/** Inserts a row, and returns whether it was inserted. */
export async function insertLesson(
  database: PostgresDatabase,
  { at, run, key, agent, title, summary, line }: LessonRow,
  where = '',
): Promise<boolean> {
  const table = `${database.schema}.lessons`;
  // one writer at a time: otherwise a lower number may commit after a reader has passed it
  const rows = await database.ask(
    `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(${lessonLock}, hashtext($8))),
     known AS (SELECT FROM ${table} WHERE line = $7::text)
     INSERT INTO ${table} (at, run, key, agent, title, summary, line)
     SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text FROM turn ${where}
     RETURNING 1`,
    [at, run, key, agent, title, summary, line, database.schema],
  );
  return rows.length > 0;
}
