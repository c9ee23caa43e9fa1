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
} from './agreement.js';
export {
  type CalibratableJudge,
  type CalibrateOptions,
  calibrate,
  type LabelledExample,
} from './calibrate.js';
export { type Calibration, CalibrationSchema } from './calibration.js';
export { type Confusion, confusionOf, type Judgement, type Rates, ratesOf } from './confusion.js';
export {
  type BootstrapOptions,
  bootstrapInterval,
  type Interval,
  type Strata,
  wilsonInterval,
} from './interval.js';
export { cohensKappa, type KappaOptions, type KappaWeights } from './kappa.js';
export { type AnswerLabel, labelsOfJournal, type ReadLabel, readLabels } from './labels.js';
export { type RequireCalibrationOptions, requireCalibration } from './require-calibration.js';
export {
  countSeverities,
  type ReadSeverity,
  type SeverityCounts,
  severityOf,
} from './severity-of.js';
