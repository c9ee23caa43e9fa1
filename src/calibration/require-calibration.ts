import * as z from 'zod';
import {
  call,
  checkRange,
  checkTable,
  elsewhere,
  givenOf,
  invalid,
  type OptionTable,
  oneOf,
  required,
  whole,
} from '../core/options.js';
import type { Policy } from '../core/policy.js';
import { refuseApproval } from '../policies/guards.js';
import { noProgress } from '../policies/no-progress.js';
import { type Calibration, CalibrationSchema } from './calibration.js';
import { calibrationProblems, leastBars, newestByJudge } from './calibration-problems.js';

export interface RequireCalibrationOptions {
  /** Calibrations of any judges; the newest one of a judge's version counts. */
  readonly calibrations: readonly Calibration[];
  /** The policy whose approvals are checked. @default noProgress() */
  readonly policy?: Policy | undefined;
  /** Minimum true negative rate: the share of bad work that fails, from 0 to 1. @default 0.7 */
  readonly minTnr?: number | undefined;
  /** Minimum true positive rate: the share of good work that passes, from 0 to 1. @default 0 */
  readonly minTpr?: number | undefined;
  /** Minimum mean of the two rates, from 0 to 1. @default 0 */
  readonly minBalancedAccuracy?: number | undefined;
  /** Minimum agreement with the labels beyond chance, from -1 to 1. @default -1 */
  readonly minKappa?: number | undefined;
  /**
   * Maximum share of repeated runs that disagree, from 0 to 1. A judge that ran only once on each
   * example does not pass.
   *
   * @default undefined not checked
   */
  readonly maxFlipRate?: number | undefined;
  /** Minimum number of judged examples of each label, from 1. @default 20 */
  readonly minExamples?: number | undefined;
  /** Compares the low end of the interval, or the figure itself. @default 'interval' */
  readonly compare?: 'interval' | 'estimate' | undefined;
  /**
   * Whether an approval that does not count becomes a question (`ask`) or ends the run as
   * escalated.
   *
   * @default 'ask'
   */
  readonly otherwise?: 'ask' | 'escalate' | undefined;
}

const table: OptionTable<RequireCalibrationOptions> = {
  ...{ calibrations: required(elsewhere()), policy: call, minExamples: whole(1) },
  ...{ minTnr: checkRange, minTpr: checkRange, minBalancedAccuracy: checkRange },
  minKappa: (name, value) => {
    if (typeof value !== 'number' || !(value >= -1 && value <= 1))
      throw invalid(name, 'a number from -1 to 1', value);
  },
  ...{ maxFlipRate: checkRange, compare: oneOf('interval', 'estimate') },
  otherwise: oneOf('ask', 'escalate'),
};

/**
 * Creates a policy that requires calibrated model judges. An approval by other judges becomes a
 * question to a person with the reason. It checks every reviewer of the tiers `model` and `confirm`
 * by id and version: a changed prompt or model needs its own calibration. Other decisions pass
 * through.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = requireCalibration({ calibrations, minTnr: 0.8 });
 * const pipeline = definePipeline({ produce, reviewers: [judge], policy });
 * ```
 */
export function requireCalibration(options: RequireCalibrationOptions): Policy {
  const bars = checkedBars(options);
  const known = newestByJudge(bars.calibrations);
  return (evidence) => {
    const decision = bars.policy(evidence);
    if (decision?.kind !== 'approve') return decision;
    const { judges } = evidence;
    const reasons =
      judges === undefined
        ? ['the judges are unknown']
        : judges
            .filter(({ tier }) => tier !== 'code')
            .flatMap((judge) => calibrationProblems(judge, known, bars));
    return reasons.length === 0
      ? decision
      : refuseApproval(decision, {
          why: reasons.join('; '),
          code: 'judge_not_calibrated',
          otherwise: bars.otherwise,
        });
  };
}

function checkedBars(options: RequireCalibrationOptions) {
  checkTable('requireCalibration', table, options);
  const { policy = noProgress(), otherwise = 'ask', calibrations: given } = options;
  const { data: calibrations, error } = z.array(CalibrationSchema).safeParse(given);
  if (calibrations === undefined)
    throw invalid('calibrations', `records of calibrate: ${z.prettifyError(error)}`, given);
  return { ...leastBars, ...givenOf(options, barNames), calibrations, policy, otherwise };
}

const barNames = [
  ...(['minTnr', 'minTpr', 'minBalancedAccuracy', 'minKappa'] as const),
  ...(['maxFlipRate', 'minExamples', 'compare'] as const),
];
