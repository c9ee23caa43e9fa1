/**
 * Measures how reliable a judge is, on labelled examples, with the statistics for it.
 *
 * @module
 */

export type { Otherwise } from '../policies/refuse-approval.js';
export { type AnswerLabel, labelsOfJournal, type VerdictsOfVersions } from './answer-labels.js';
export type { ApprovalLabel } from './approval-label.js';
export {
  type Arrangement,
  ArrangementSchema,
  arrangementDigest,
  type PolicyRules,
} from './arrangement.js';
export { type AskRule, AskRuleSchema } from './ask-rule.js';
export { type AskUnsureOptions, askUnsure, sureness } from './ask-unsure.js';
export { askWhereUnreliable } from './ask-where-unreliable.js';
export {
  type AuditCertificateOptions,
  auditCertificate,
  type CertificateAudit,
} from './audit-certificate.js';
export {
  type CalibrateJudgesOptions,
  calibrate,
  calibrateJudges,
} from './calibrate-judges.js';
export type { CalibrateOptions, LabelledExample } from './calibrate-options.js';
export { type Calibration, CalibrationSchema } from './calibration.js';
export { calibrationOfDecisions } from './calibration-of-decisions.js';
export { type Certificate, CertificateSchema } from './certificate.js';
export type { CertifyMethod, LabelCount } from './certified-test.js';
export { type Certification, type CertifyOptions, certify, type NotCertified } from './certify.js';
export {
  type Confusion,
  confusionOf,
  flipRate,
  type Judgement,
  type Rates,
  ratesOf,
} from './confusion.js';
export type { UnusedLabels } from './decided-verdicts.js';
export { type Gate, GateSchema } from './gate.js';
export {
  type BootstrapOptions,
  bootstrapInterval,
  type Interval,
  type Strata,
  wilsonInterval,
} from './interval.js';
export type { CalibratableJudge } from './judge-pipeline.js';
export { type JudgesCalibration, JudgesCalibrationSchema } from './judges-calibration.js';
export { cohensKappa } from './kappa.js';
export { type LabelledVerdict, type ReadLabel, readLabels } from './labels.js';
export {
  type Agreement,
  type JudgeLesson,
  type Learned,
  type LearnOptions,
  learnFromDecisions,
} from './learn-from-decisions.js';
export { type RequireCalibrationOptions, requireCalibration } from './require-calibration.js';
export {
  type RequireCertificateOptions,
  requireCertificate,
} from './require-certificate.js';
