import * as z from 'zod';
import type { Decision } from '../core/decision.js';
import { checkKeys, checkRange, checkWhole, invalid } from '../core/options.js';
import type { JudgeIdentity, Policy } from '../core/policy.js';
import { noProgress } from '../policies/no-progress.js';
import { type Calibration, CalibrationSchema, enoughExamples } from './calibration.js';

/** Options of {@link requireCalibration}. */
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
   * @default not checked
   */
  readonly maxFlipRate?: number | undefined;
  /** Minimum number of judged examples of each label, from 1. @default 20 */
  readonly minExamples?: number | undefined;
  /** Compares the low end of the interval, or the figure itself. @default 'interval' */
  readonly compare?: 'interval' | 'estimate' | undefined;
  /**
   * Asks a person about an approval that does not count, or ends the run as escalated.
   *
   * @default 'ask'
   */
  readonly otherwise?: 'ask' | 'escalate' | undefined;
}

const optionNames = [
  'calibrations',
  'policy',
  'minTnr',
  'minTpr',
  'minBalancedAccuracy',
  'minKappa',
  'maxFlipRate',
  'minExamples',
  'compare',
  'otherwise',
] as const;

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
            .flatMap((judge) => problemsOf(judge, known, bars));
    return reasons.length === 0 ? decision : refusal(decision, reasons, bars.otherwise);
  };
}

function newestByJudge(calibrations: readonly Calibration[]): ReadonlyMap<string, Calibration> {
  const oldestFirst = [...calibrations].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return new Map(oldestFirst.map((calibration) => [keyOf(calibration.judge), calibration]));
}

/** Returns why a judge may not approve; empty for a judge that may. */
function problemsOf(
  judge: JudgeIdentity,
  known: ReadonlyMap<string, Calibration>,
  bars: Bars,
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
      ? `was calibrated with ${fewest} examples of a label, below minExamples ${bars.minExamples}`
      : '',
    ...rates,
    flipProblem(flipRate, bars.maxFlipRate),
  ];
  return problems.filter((problem) => problem !== '').map((problem) => `${judge.id} ${problem}`);
}

/** The figures that have a minimum; a minimum of `lowest` is not checked. */
const rateBars = [
  { option: 'minTnr', figure: 'tnr', name: 'TNR', lowest: Number.NEGATIVE_INFINITY },
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
    readonly bars: Bars;
  },
): string {
  if (estimate === null) return `has no ${name}`;
  const { value, low, high } = estimate;
  const atLowEnd = bars.compare === 'interval';
  if ((atLowEnd ? low : value) >= bars[option]) return '';
  const figure = `${shown(value)} (${shown(low)} to ${shown(high)})`;
  return `has a ${name} of ${figure}, below ${option} ${bars[option]}${atLowEnd ? ' at the low end' : ''}`;
}

function flipProblem(flipRate: number | null, most: number | undefined): string {
  if (most === undefined || (flipRate !== null && flipRate <= most)) return '';
  return flipRate === null
    ? 'was run only once on each example, so maxFlipRate cannot be checked'
    : `contradicts itself in ${shown(flipRate)} of repeated runs, above maxFlipRate ${most}`;
}

function refusal(
  { reason }: Extract<Decision, { kind: 'approve' }>,
  reasons: readonly string[],
  otherwise: Bars['otherwise'],
): Decision {
  const why = reasons.join('; ');
  if (otherwise === 'escalate')
    return { kind: 'stop', status: 'escalated', code: 'judge_not_calibrated', reason: why };
  return {
    kind: 'ask',
    reason: why,
    question: `The reviewers approve: ${reason}. Their approval needs confirmation: ${why}. Do you approve?`,
    allowed: ['approve', 'reject', 'revise'],
  };
}

function keyOf({ id, version }: Pick<JudgeIdentity, 'id' | 'version'>): string {
  return JSON.stringify([id, version]);
}

/** Truncates instead of rounding: 0.6996 must not be shown as 0.7. */
function shown(value: number): string {
  return String(Math.floor(value * 1000 + 1e-10) / 1000);
}

/** {@link RequireCalibrationOptions} with their defaults. */
interface Bars {
  readonly calibrations: readonly Calibration[];
  readonly policy: Policy;
  readonly minTnr: number;
  readonly minTpr: number;
  readonly minBalancedAccuracy: number;
  readonly minKappa: number;
  readonly maxFlipRate: number | undefined;
  readonly minExamples: number;
  readonly compare: 'interval' | 'estimate';
  readonly otherwise: 'ask' | 'escalate';
}

function checkedBars(options: RequireCalibrationOptions): Bars {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object with `calibrations`', options);
  checkKeys('requireCalibration', options, optionNames);
  const {
    policy = noProgress(),
    minTnr = 0.7,
    minTpr = 0,
    minBalancedAccuracy = 0,
    minKappa = -1,
    maxFlipRate,
    minExamples = enoughExamples,
    compare = 'interval',
    otherwise = 'ask',
  } = options;
  const bars = {
    policy,
    minTnr,
    minTpr,
    minBalancedAccuracy,
    minKappa,
    maxFlipRate,
    minExamples,
    compare,
    otherwise,
  };
  checkBars(bars);
  const calibrations = z.array(CalibrationSchema).safeParse(options.calibrations);
  if (!calibrations.success)
    throw invalid(
      'calibrations',
      `records of calibrate: ${z.prettifyError(calibrations.error)}`,
      options.calibrations,
    );
  return { calibrations: calibrations.data, ...bars };
}

/** @throws ReviewLoopError `invalid_options` */
function checkBars(bars: Omit<Bars, 'calibrations'>): void {
  const { policy, minKappa, maxFlipRate, minExamples, compare, otherwise } = bars;
  if (typeof policy !== 'function') throw invalid('policy', 'a function', policy);
  for (const name of ['minTnr', 'minTpr', 'minBalancedAccuracy'] as const)
    checkRange(name, bars[name]);
  if (typeof minKappa !== 'number' || !(minKappa >= -1 && minKappa <= 1))
    throw invalid('minKappa', 'a number from -1 to 1', minKappa);
  if (maxFlipRate !== undefined) checkRange('maxFlipRate', maxFlipRate);
  checkWhole('minExamples', minExamples, 1);
  if (compare !== 'interval' && compare !== 'estimate')
    throw invalid('compare', "'interval' or 'estimate'", compare);
  if (otherwise !== 'ask' && otherwise !== 'escalate')
    throw invalid('otherwise', "'ask' or 'escalate'", otherwise);
}
