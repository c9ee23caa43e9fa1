import * as z from 'zod';
import type { Decision } from '../core/decision.js';
import { checkKeys, checkRange, checkWhole, invalid } from '../core/options.js';
import type { JudgeIdentity, Policy } from '../core/policy.js';
import { noProgress } from '../policies/no-progress.js';
import { type Calibration, CalibrationSchema, enoughExamples } from './calibration.js';

/** What a judge must have shown before its approval counts. */
export interface RequireCalibrationOptions {
  /** What was measured, of any number of judges; the newest of a judge's version counts. */
  readonly calibrations: readonly Calibration[];
  /** Decides before the judges are looked at. @default noProgress() */
  readonly policy?: Policy | undefined;
  /** The share of bad work that must fail. @default 0.7 */
  readonly minTnr?: number | undefined;
  /** The share of good work that must pass. @default 0 */
  readonly minTpr?: number | undefined;
  /** The mean of the two. @default 0 */
  readonly minBalancedAccuracy?: number | undefined;
  /** The agreement with the labels beyond chance. @default -1 */
  readonly minKappa?: number | undefined;
  /** How often two runs may disagree; where it is given, a judge that was run only once is unfit. @default not asked */
  readonly maxFlipRate?: number | undefined;
  /** How many examples of each label must have been judged. @default 20 */
  readonly minExamples?: number | undefined;
  /** Whether the low end of the interval must reach the bar, or the figure alone. @default 'interval' */
  readonly compare?: 'interval' | 'estimate' | undefined;
  /** What becomes of an approval that does not count: a question to a person, or the end. @default 'ask' */
  readonly otherwise?: 'ask' | 'escalate' | undefined;
}

const names = [
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
 * Lets nothing be approved by model judges that are not calibrated, or unfit: the approval becomes a question to a person, with the
 * reason. Every reviewer of the tiers `model` and `confirm` counts, by its id and its version, so a changed prompt or model needs
 * a calibration of its own. What is not an approval passes through.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce, reviewers: [judge], policy: requireCalibration({ calibrations, minTnr: 0.8 }) });
 * ```
 */
export function requireCalibration(options: RequireCalibrationOptions): Policy {
  const bars = checked(options);
  const known = new Map<string, Calibration>();
  for (const calibration of [...bars.calibrations].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  ))
    known.set(keyOf(calibration.judge), calibration);
  return (evidence) => {
    const decision = bars.policy(evidence);
    if (decision?.kind !== 'approve') return decision;
    const { judges } = evidence;
    const reasons =
      judges === undefined
        ? ['nobody says who judged']
        : judges
            .filter(({ tier }) => tier !== 'code')
            .flatMap((judge) => unfit(judge, known, bars));
    return reasons.length === 0 ? decision : refusal(decision, reasons, bars.otherwise);
  };
}

/** What is against letting a judge approve; nothing where it is fit. */
function unfit(
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
  const problems = [
    fewest < bars.minExamples
      ? `was calibrated with ${fewest} examples of a label, ${bars.minExamples} are needed`
      : '',
    below('TNR', calibration.tnr, bars.minTnr, bars.compare),
    bars.minTpr > 0 ? below('TPR', calibration.tpr, bars.minTpr, bars.compare) : '',
    bars.minBalancedAccuracy > 0
      ? below(
          'balanced accuracy',
          calibration.balancedAccuracy,
          bars.minBalancedAccuracy,
          bars.compare,
        )
      : '',
    bars.minKappa > -1 ? below('kappa', calibration.kappa, bars.minKappa, bars.compare) : '',
    flipProblem(flipRate, bars.maxFlipRate),
  ].filter((problem) => problem !== '');
  return problems.map((problem) => `${judge.id} ${problem}`);
}

function below(
  name: string,
  estimate: Calibration['tnr'],
  bar: number,
  compare: Bars['compare'],
): string {
  if (estimate === null) return `has no ${name}`;
  const value = compare === 'interval' ? estimate.low : estimate.value;
  return value >= bar
    ? ''
    : `has a ${name} of ${shown(estimate.value)} (${shown(estimate.low)} to ${shown(estimate.high)}), ${bar} is needed${compare === 'interval' ? ' at the low end' : ''}`;
}

function flipProblem(flipRate: number | null, most: number | undefined): string {
  if (most === undefined || (flipRate !== null && flipRate <= most)) return '';
  return flipRate === null
    ? 'was run only once over each example'
    : `contradicts itself in ${shown(flipRate)} of repeated runs, ${most} are allowed`;
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
    question: `The reviewers approve: ${reason}. They may not do so alone: ${why}. Do you approve?`,
    allowed: ['approve', 'reject', 'revise'],
  };
}

function keyOf({ id, version }: Pick<JudgeIdentity, 'id' | 'version'>): string {
  return JSON.stringify([id, version]);
}

/** Cut, not rounded: 0.6996 must not read as 0.7. */
function shown(value: number): string {
  return String(Math.floor(value * 1000 + 1e-10) / 1000);
}

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

function checked(options: RequireCalibrationOptions): Bars {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object with `calibrations`', options);
  checkKeys('requireCalibration', options, names);
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
  checkBars({
    policy,
    minTnr,
    minTpr,
    minBalancedAccuracy,
    minKappa,
    maxFlipRate,
    minExamples,
    compare,
    otherwise,
  });
  const calibrations = z.array(CalibrationSchema).safeParse(options.calibrations);
  if (!calibrations.success)
    throw invalid(
      'calibrations',
      `records of calibrate: ${z.prettifyError(calibrations.error)}`,
      options.calibrations,
    );
  return {
    calibrations: calibrations.data,
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
}

/** @throws ReviewLoopError `invalid_options` */
function checkBars({
  policy,
  minTnr,
  minTpr,
  minBalancedAccuracy,
  minKappa,
  maxFlipRate,
  minExamples,
  compare,
  otherwise,
}: Omit<Bars, 'calibrations'>): void {
  if (typeof policy !== 'function') throw invalid('policy', 'a function', policy);
  for (const [name, value] of Object.entries({ minTnr, minTpr, minBalancedAccuracy }))
    checkRange(name, value);
  if (typeof minKappa !== 'number' || !(minKappa >= -1 && minKappa <= 1))
    throw invalid('minKappa', 'a number from -1 to 1', minKappa);
  if (maxFlipRate !== undefined) checkRange('maxFlipRate', maxFlipRate);
  checkWhole('minExamples', minExamples, 1);
  if (compare !== 'interval' && compare !== 'estimate')
    throw invalid('compare', "'interval' or 'estimate'", compare);
  if (otherwise !== 'ask' && otherwise !== 'escalate')
    throw invalid('otherwise', "'ask' or 'escalate'", otherwise);
}
