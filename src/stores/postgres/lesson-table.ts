import type { LessonRecord } from '../../lessons/lesson-record.js';
import { type LessonRow, lessonRow } from '../rows/lesson-rows.js';
import type { PostgresDatabase } from './postgres-database.js';

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
