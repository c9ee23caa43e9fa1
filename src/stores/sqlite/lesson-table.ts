import type { LessonSettings, ReadableLessonStore } from '../../lessons/lesson-store.js';
import type { Logger } from '../../ports/logger.js';
import { lessonStoreOver, mostLessonRows } from '../rows/lesson-rows.js';
import type { Database } from './database.js';
import { insertRow } from './insert-row.js';

export function lessonsIn(
  database: Database,
  options: { readonly settings: LessonSettings; readonly logger: Logger },
): ReadableLessonStore {
  return lessonStoreOver(
    {
      name: database.name,
      after: async (id) => {
        const rows = await database.read((tables) =>
          tables.all(
            `SELECT id, line FROM (
               SELECT id, line FROM lessons WHERE id > ? ORDER BY id DESC LIMIT ?
             ) ORDER BY id`,
            id,
            mostLessonRows,
          ),
        );
        return rows.map((row) => ({ id: Number(row['id']), line: String(row['line']) }));
      },
      insert: async (row) => {
        await database.write((tables) => insertRow(tables, 'lessons', { ...row }));
      },
    },
    options,
  );
}
