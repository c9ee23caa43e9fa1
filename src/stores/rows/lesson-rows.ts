import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { LessonBook } from '../../lessons/lesson-book.js';
import {
  boundedLine,
  type LessonRecord,
  lessonRecord,
  parseLine,
} from '../../lessons/lesson-record.js';
import type { LessonSettings, ReadableLessonStore } from '../../lessons/lesson-store.js';
import type { Logger } from '../../ports/logger.js';
import { plainText } from '../plain-text.js';

/** Largest number of rows that are read, the newest first. */
export const mostLessonRows = 5000;

/** Longest line in bytes, as in a file of lessons. */
const longestLine = 4096;

/** A row of the table of lessons, by the names of its columns. */
export interface LessonRow {
  readonly at: string;
  readonly run: string;
  readonly key: string;
  readonly agent: string;
  readonly title: string;
  readonly summary: string;
  readonly line: string;
}

export interface LessonRows {
  /** The name of the database in messages. */
  readonly name: string;
  /** Returns the newest {@link mostLessonRows} rows with a higher number, in their order. */
  readonly after: (
    id: number,
  ) => Promise<readonly { readonly id: number; readonly line: string }[]>;
  readonly insert: (row: LessonRow) => Promise<void>;
}

/** Returns the store of lessons over the rows of a database. */
export function lessonStoreOver(
  rows: LessonRows,
  { settings, logger }: { readonly settings: LessonSettings; readonly logger: Logger },
): ReadableLessonStore {
  const reader = new LessonReader(rows, settings);
  return {
    lessons: async () => (await reader.read()).lessons,
    relevantTo: async (task) => {
      try {
        return (await reader.read()).relevantTo(task);
      } catch (error) {
        logger.warn(
          { database: rows.name, error: messageOf(error) },
          'lessons could not be read; the run continues without them',
        );
        return '';
      }
    },
    capture: async (run) => {
      const record = lessonRecord(run, settings);
      if (record === null) return;
      const line = boundedLine(record, longestLine, (text) => Buffer.byteLength(text));
      await rows.insert(lessonRow(record, line));
    },
  };
}

export function lessonRow({ at, run, key, lesson }: LessonRecord, line: string): LessonRow {
  return {
    at,
    run,
    key,
    agent: plainText(lesson.sourceAgent),
    title: plainText(lesson.title),
    summary: plainText(lesson.summary),
    line,
  };
}

/** Reads the rows that it has not read yet. */
class LessonReader {
  readonly #rows: LessonRows;
  readonly #settings: LessonSettings;
  #book: LessonBook;
  #last = 0;

  constructor(rows: LessonRows, settings: LessonSettings) {
    this.#rows = rows;
    this.#settings = settings;
    this.#book = new LessonBook(settings);
  }

  /**
   * @throws ReviewLoopError `journal_corrupt` or `journal_newer`, with the row; errors of reading
   */
  async read(): Promise<LessonBook> {
    try {
      for (const row of await this.#rows.after(this.#last)) this.#add(row);
      return this.#book;
    } catch (error) {
      this.#book = new LessonBook(this.#settings);
      this.#last = 0;
      throw error;
    }
  }

  #add({ id, line }: { readonly id: number; readonly line: string }): void {
    if (id <= this.#last) return;
    const record = parseLine(line);
    if ('error' in record)
      throw new ReviewLoopError(record.error, `lesson ${id} in ${this.#rows.name} ${record.what}`, {
        value: this.#rows.name,
      });
    this.#book.add(record);
    this.#last = id;
  }
}
