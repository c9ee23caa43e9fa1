import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { LessonBook, type LessonSettings } from '../../lessons/lesson-book.js';
import { boundedLine, lessonRecord, parseLine } from '../../lessons/lesson-record.js';
import type { ReadableLessonStore } from '../../lessons/readable-lesson-store.js';
import type { Logger } from '../../ports/logger.js';
import type { Database, SqliteRow } from './database.js';
import { plainText } from './plain-text.js';

/** How the lessons of a database are kept and told. */
interface LessonTableOptions {
  readonly settings: LessonSettings;
  readonly logger: Logger;
}

/** As many bytes as a line in a file of lessons has. */
const longestLine = 4096;
/** How many of the newest rows are read. */
const mostRows = 5000;

/** The lessons in a database. */
export function lessonsIn(
  database: Database,
  { settings, logger }: LessonTableOptions,
): ReadableLessonStore {
  let book = new LessonBook(settings);
  let last = 0;
  const take = (rows: readonly SqliteRow[]): void => {
    for (const { id, line } of rows) {
      if (Number(id) <= last) continue;
      const record = parseLine(String(line));
      if ('error' in record)
        throw new ReviewLoopError(record.error, `lesson ${id} in ${database.name} ${record.what}`, {
          value: database.name,
        });
      book.add(record);
      last = Number(id);
    }
  };
  const read = async (): Promise<void> => {
    try {
      take(
        await database.read((tables) =>
          tables.all(
            'SELECT id, line FROM (SELECT id, line FROM lessons WHERE id > ? ORDER BY id DESC LIMIT ?) ORDER BY id',
            last,
            mostRows,
          ),
        ),
      );
    } catch (error) {
      book = new LessonBook(settings);
      last = 0;
      throw error;
    }
  };
  return {
    lessons: async () => {
      await read();
      return book.lessons;
    },
    relevantTo: async (task) => {
      try {
        await read();
        return book.relevantTo(task);
      } catch (error) {
        logger.warn(
          { database: database.name, error: messageOf(error) },
          'lessons could not be read; the run goes on without them',
        );
        return '';
      }
    },
    capture: async (run) => {
      const record = lessonRecord(run, settings.agentId ?? run.agentId);
      if (record === null) return;
      const { at, key, lesson } = record;
      const line = boundedLine(record, longestLine, (text) => Buffer.byteLength(text));
      const values = [
        at,
        record.run,
        key,
        plainText(lesson.sourceAgent),
        plainText(lesson.title),
        plainText(lesson.summary),
        line,
      ];
      await database.write((tables) =>
        tables.run(
          'INSERT INTO lessons (at, run, key, agent, title, summary, line) VALUES (?, ?, ?, ?, ?, ?, ?)',
          ...values,
        ),
      );
    },
  };
}
