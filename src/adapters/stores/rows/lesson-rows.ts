import {
  boundedLine,
  LessonBook,
  type LessonRecord,
  lessonsOver,
  parseLine,
} from '../../../blocks/lessons/lesson-book.js';
import type { LessonSettings, ReadableLessonStore } from '../../../blocks/lessons/lesson-store.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { Logger } from '../../../ports/logger.js';
import { required, table } from './columns.js';
import { putRow, type TableDatabase, type TableRow } from './table-database.js';

/** The newest ones are read. */
const mostRows = 5000;

/** In bytes, as in a file of lessons. */
const longestLine = 4096;

/** `line` is as in a file of lessons. */
export interface LessonLine {
  readonly record: LessonRecord;
  readonly line: string;
}

export const lessonRows = table<LessonLine>('lessons', '', {
  at: required.text(({ record }) => record.at),
  run: required.text(({ record }) => record.run),
  key: required.text(({ record }) => record.key),
  agent: required.text(({ record }) => record.lesson.sourceAgent),
  title: required.text(({ record }) => record.lesson.title),
  summary: required.text(({ record }) => record.lesson.summary),
  line: required.exact(({ line }) => line),
});

export interface LessonTableOptions {
  readonly settings: LessonSettings;
  readonly logger: Logger;
  /** Inserts a row so that readers, who go by the numbers of rows, miss none. @default at once */
  readonly insert?: ((row: TableRow) => Promise<unknown>) | undefined;
}

export function lessonsIn(
  database: TableDatabase,
  { settings, logger, insert = (row) => putRow(database, 'lessons', row) }: LessonTableOptions,
): ReadableLessonStore {
  return lessonsOver(settings, {
    read: reader(database, settings),
    add: (record) => insert(lessonRows.row({ record, line: boundedLine(record, longestLine) })),
    ...{ logger, name: { database: database.name } },
  });
}

/** Reads each time only the rows that were added since. */
function reader(database: TableDatabase, settings: LessonSettings): () => Promise<LessonBook> {
  let book = new LessonBook(settings);
  let last = 0;
  const add = (id: number, line: string): void => {
    if (id <= last) return;
    const record = parseLine(line);
    if ('error' in record)
      throw new ReviewLoopError(record.error, `lesson ${id} in ${database.name} ${record.what}`, {
        value: database.name,
      });
    book.add(record);
    last = id;
  };
  return async () => {
    try {
      const rows = await database.ask(
        `SELECT id, line FROM (
           SELECT id, line FROM ${database.schema}.lessons
           WHERE id > $1::bigint ORDER BY id DESC LIMIT $2::int
         ) AS newest ORDER BY id`,
        [last, mostRows],
      );
      for (const row of rows) add(Number(row['id']), String(row['line']));
      return book;
    } catch (error) {
      book = new LessonBook(settings);
      last = 0;
      throw error;
    }
  };
}
