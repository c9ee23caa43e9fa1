import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { LessonBook } from '../../lessons/lesson-book.js';
import { boundedLine, lessonRecord, parseLine } from '../../lessons/lesson-record.js';
import type { LessonSettings, ReadableLessonStore } from '../../lessons/lesson-store.js';
import type { Logger } from '../../ports/logger.js';
import type { Database, SqliteRow } from './database.js';
import { plainText } from './driver.js';
import { insertRow } from './insert-row.js';

/** Options of {@link lessonsIn}. */
interface LessonTableOptions {
  readonly settings: LessonSettings;
  readonly logger: Logger;
}

/** Longest line in bytes, as in a file of lessons. */
const longestLine = 4096;
/** Largest number of rows that are read, the newest first. */
const mostRows = 5000;

/** Returns the store of lessons in a database. */
export function lessonsIn(
  database: Database,
  { settings, logger }: LessonTableOptions,
): ReadableLessonStore {
  const reader = new LessonTableReader(database, settings);
  return {
    lessons: async () => (await reader.read()).lessons,
    relevantTo: async (task) => {
      try {
        return (await reader.read()).relevantTo(task);
      } catch (error) {
        logger.warn(
          { database: database.name, error: messageOf(error) },
          'lessons could not be read; the run continues without them',
        );
        return '';
      }
    },
    capture: async (run) => {
      const record = lessonRecord(run, settings);
      if (record === null) return;
      const { at, key, lesson } = record;
      const row = {
        at,
        run: record.run,
        key,
        agent: plainText(lesson.sourceAgent),
        title: plainText(lesson.title),
        summary: plainText(lesson.summary),
        line: boundedLine(record, longestLine, (text) => Buffer.byteLength(text)),
      };
      await database.write((tables) => insertRow(tables, 'lessons', row));
    },
  };
}

/** Reads the rows that it has not read yet. */
class LessonTableReader {
  readonly #database: Database;
  readonly #settings: LessonSettings;
  #book: LessonBook;
  #last = 0;

  constructor(database: Database, settings: LessonSettings) {
    this.#database = database;
    this.#settings = settings;
    this.#book = new LessonBook(settings);
  }

  /**
   * @throws ReviewLoopError `journal_corrupt` or `journal_newer`, with the row; errors of reading
   */
  async read(): Promise<LessonBook> {
    try {
      const rows = await this.#database.read((tables) =>
        tables.all(
          `SELECT id, line FROM (
             SELECT id, line FROM lessons WHERE id > ? ORDER BY id DESC LIMIT ?
           ) ORDER BY id`,
          this.#last,
          mostRows,
        ),
      );
      this.#add(rows);
      return this.#book;
    } catch (error) {
      this.#book = new LessonBook(this.#settings);
      this.#last = 0;
      throw error;
    }
  }

  #add(rows: readonly SqliteRow[]): void {
    for (const { id, line } of rows) {
      if (Number(id) <= this.#last) continue;
      const record = parseLine(String(line));
      if ('error' in record)
        throw new ReviewLoopError(
          record.error,
          `lesson ${id} in ${this.#database.name} ${record.what}`,
          { value: this.#database.name },
        );
      this.#book.add(record);
      this.#last = Number(id);
    }
  }
}
