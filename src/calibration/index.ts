/**
 * Measures how reliable a judge is, on labelled examples, with the statistics for it.
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
export { type CalibrateOptions, calibrate, type LabelledExample } from './calibrate.js';
export { type Calibration, CalibrationSchema } from './calibration.js';
export { type Confusion, confusionOf, type Judgement, type Rates, ratesOf } from './confusion.js';
export {
  type BootstrapOptions,
  bootstrapInterval,
  type Interval,
  type Strata,
  wilsonInterval,
} from './interval.js';
export type { CalibratableJudge } from './judge-pipeline.js';
export { cohensKappa, type KappaOptions, type KappaWeights } from './kappa.js';
export { type AnswerLabel, labelsOfJournal, type ReadLabel, readLabels } from './labels.js';
export { type RequireCalibrationOptions, requireCalibration } from './require-calibration.js';
export {
  countSeverities,
  type ReadSeverity,
  type SeverityCounts,
  severityOf,
} from './severity-of.js';
