/**
 * How far a judge can be trusted: calibration over labelled examples, and the statistics behind it.
 *
 * @module
 */
export {
  type CorrectedRate,
  correctedPassRate,
  flipRate,
  independentVotes,
  type JudgeIndependence,
  mcNemar,
  type PositionBias,
  positionBias,
  type SwappedComparison,
} from '../../calibration/agreement.js';
export { type Calibration, CalibrationSchema } from '../../calibration/calibration.js';
export { type Confusion, confusionOf, type Judgement, type Rates, ratesOf } from '../../calibration/confusion.js';
export { type AcceptedCriterion, acceptDraft, type CriterionDraft, draftCriteria } from '../../calibration/draft-criteria.js';
export { type BootstrapOptions, bootstrapInterval, type Interval, type Strata, wilsonInterval } from '../../calibration/interval.js';
export { cohensKappa, type KappaOptions, type KappaWeights } from '../../calibration/kappa.js';
export { type AnswerLabel, labelsOfJournal, type ReadLabel, readLabels } from '../../calibration/labels.js';
export { type RequireCalibrationOptions, requireCalibration } from '../../calibration/require-calibration.js';
export { countSeverities, type ReadSeverity, type SeverityCounts, severityOf } from '../../calibration/severity-of.js';
export { type CalibratableJudge, type CalibrateOptions, calibrate, type LabelledExample } from './calibrate.js';
