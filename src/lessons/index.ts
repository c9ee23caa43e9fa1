/**
 * Lessons of earlier runs: their stores, and drafts of checklist items.
 *
 * @module
 */

export {
  type AcceptedCriterion,
  acceptDraft,
  type CriterionDraft,
  draftCriteria,
} from './draft-criteria.js';
export { draftFromReasons, type RejectionReason } from './draft-from-reasons.js';
export {
  createLessonFromReview,
  type GapPattern,
  type LessonDetails,
  type LessonInput,
  lessonsFrom,
} from './lesson.js';
export type { LessonOptions, ReadableLessonStore } from './lesson-store.js';
export { memoryLessons } from './memory-lessons.js';
