import { LessonBook } from './lesson-book.js';
import { lessonRecord } from './lesson-record.js';
import { type LessonOptions, lessonSettings, type ReadableLessonStore } from './lesson-store.js';

/**
 * Creates a lesson store in memory; it is lost with the process.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, learn: memoryLessons() });
 * ```
 */
export function memoryLessons(options: LessonOptions = {}): ReadableLessonStore {
  const settings = lessonSettings('memoryLessons', options);
  const book = new LessonBook(settings);
  return {
    lessons: async () => book.lessons,
    relevantTo: async (task) => book.relevantTo(task),
    capture: async (run) => {
      const record = lessonRecord(run, settings);
      if (record !== null) book.add(record);
    },
  };
}
