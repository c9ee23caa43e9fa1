import type { LessonStore } from '../ports/lesson-store.js';
import type { LessonInput } from './lesson.js';

/** A lesson store that gives its lessons as data too, for drafts of checklist items. */
export interface ReadableLessonStore extends LessonStore {
  /** Each lesson as often as runs taught it. */
  readonly lessons: () => Promise<readonly LessonInput[]>;
}
