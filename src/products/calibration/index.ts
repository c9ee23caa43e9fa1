/**
 * Measures how reliable a judge is, on labelled examples, with the statistics for it.
 *
 * @module
 */

export {
  type AcceptedCriterion,
  acceptDraft,
  type CriterionDraft,
  draftCriteria,
  draftFromReasons,
} from '../../blocks/lessons/draft-criteria.js';
export {
  createLessonFromReview,
  type LessonInput,
  lessonsFrom,
} from '../../blocks/lessons/lesson.js';
export { memoryLessons } from '../../blocks/lessons/lesson-book.js';
export type { LessonOptions, ReadableLessonStore } from '../../blocks/lessons/lesson-store.js';
export { type AnswerLabel, labelsOfJournal } from './answer-labels.js';
export type { ApprovalLabel } from './approval-label.js';
export { askUnsure } from './ask-unsure.js';
export { askWhereUnreliable } from './ask-where-unreliable.js';
export { calibrate, calibrateJudges } from './calibrate-judges.js';
export type { LabelledExample } from './calibrate-options.js';
export {
  type Calibration,
  CalibrationSchema,
  type JudgesCalibration,
  JudgesCalibrationSchema,
} from './calibration.js';
export {
  auditCertificate,
  type Certificate,
  type CertificateAudit,
  CertificateSchema,
} from './certificate.js';
export { type Certification, certify } from './certify.js';
export { calibrationOfDecisions } from './decided-verdicts.js';
export { type LabelledVerdict, type ReadLabel, readLabels } from './labels.js';
export { type Learned, learnFromDecisions } from './learn-from-decisions.js';
export { requireCalibration } from './require-calibration.js';
export { requireCertificate } from './require-certificate.js';
