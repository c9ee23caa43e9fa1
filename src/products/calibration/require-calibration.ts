import * as z from 'zod';
import {
  call,
  checkRange,
  checkTable,
  elsewhere,
  type Filled,
  invalid,
  type OptionTable,
  oneOf,
  required,
  whole,
  withDefaults,
} from '../../core/options.js';
import { plural } from '../../core/plural.js';
import type { JudgeIdentity, Policy } from '../../core/policy.js';
import { figureText } from '../../core/score-text.js';
import { refuseApproval } from '../../engine/policies/guards.js';
import { noProgress } from '../../engine/policies/no-progress.js';
import { type Calibration, CalibrationSchema, enoughExamples } from './calibration.js';

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
  return { ...withDefaults(options, leastBars), calibrations, policy, otherwise };
}

export const leastBars = {
  ...{ minTnr: 0.7, minTpr: 0, minBalancedAccuracy: 0, minKappa: -1 },
  ...({ minExamples: enoughExamples, compare: 'interval' } as const),
};

export type CalibrationBars = Pick<
  Filled<RequireCalibrationOptions, keyof typeof leastBars>,
  keyof typeof leastBars | 'maxFlipRate'
>;

export function newestByJudge(
  calibrations: readonly Calibration[],
): ReadonlyMap<string, Calibration> {
  const oldestFirst = [...calibrations].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return new Map(oldestFirst.map((calibration) => [keyOf(calibration.judge), calibration]));
}

function keyOf({ id, version }: Pick<JudgeIdentity, 'id' | 'version'>): string {
  return JSON.stringify([id, version]);
}

/** Empty for a judge that may. */
export function calibrationProblems(
  judge: JudgeIdentity,
  known: ReadonlyMap<string, Calibration>,
  bars: CalibrationBars,
): string[] {
  const calibration = known.get(keyOf(judge));
  if (calibration === undefined) {
    const other = [...known.values()].some((candidate) => candidate.judge.id === judge.id);
    return [
      other
        ? `${judge.id} was calibrated with another prompt, model or rule`
        : `${judge.id} is not calibrated`,
    ];
  }
  const { confusion, flipRate } = calibration;
  const fewest = Math.min(
    confusion.truePass + confusion.falseFail,
    confusion.trueFail + confusion.falsePass,
  );
  const rates = rateBars.map(({ option, figure, name, lowest }) =>
    bars[option] > lowest ? rateProblem(calibration[figure], { option, name, bars }) : '',
  );
  const problems = [
    fewest < bars.minExamples
      ? `was calibrated with ${plural(fewest, 'example')} of a label, below minExamples ${bars.minExamples}`
      : '',
    ...rates,
    flipProblem(flipRate, bars.maxFlipRate),
  ];
  return problems.filter((problem) => problem !== '').map((problem) => `${judge.id} ${problem}`);
}

/** A minimum of `lowest` is not checked. */
const rateBars = [
  { option: 'minTnr', figure: 'tnr', name: 'TNR', lowest: 0 },
  { option: 'minTpr', figure: 'tpr', name: 'TPR', lowest: 0 },
  {
    option: 'minBalancedAccuracy',
    figure: 'balancedAccuracy',
    name: 'balanced accuracy',
    lowest: 0,
  },
  { option: 'minKappa', figure: 'kappa', name: 'kappa', lowest: -1 },
] as const;

function rateProblem(
  estimate: Calibration['tnr'],
  {
    option,
    name,
    bars,
  }: {
    readonly option: (typeof rateBars)[number]['option'];
    readonly name: string;
    readonly bars: CalibrationBars;
  },
): string {
  if (estimate === null) return `has no ${name}`;
  const { value, low, high } = estimate;
  const atLowEnd = bars.compare === 'interval';
  if ((atLowEnd ? low : value) >= bars[option]) return '';
  const figure = `${figureText(value, bars[option])} (${figureText(low, bars[option])} to ${figureText(high, bars[option])})`;
  return `has a ${name} of ${figure}, below ${option} ${bars[option]}${atLowEnd ? ' at the low end' : ''}`;
}

function flipProblem(flipRate: number | null, most: number | undefined): string {
  if (most === undefined || (flipRate !== null && flipRate <= most)) return '';
  return flipRate === null
    ? 'was run only once on each example, so maxFlipRate cannot be checked'
    : `contradicts itself in ${figureText(flipRate, most)} of repeated runs, above maxFlipRate ${most}`;
}
