import { ReviewLoopError } from '../core/errors.js';
import { checkRange } from '../core/options.js';
import { type Confusion, shareOf } from './confusion.js';
import { checkConfidence, type Interval } from './interval.js';
import { cohensKappa } from './kappa.js';
import { normalQuantile } from './normal.js';

/** How often two runs of a judge over the same thing disagree: the mean over things, each the share of its pairs of runs. */
export function flipRate<Verdict>(runs: readonly (readonly Verdict[])[]): number | undefined {
  const rates = runs.flatMap((verdicts) => {
    const counts = new Map<Verdict, number>();
    for (const verdict of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const pairs = (verdicts.length * (verdicts.length - 1)) / 2;
    const equal = [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
    return pairs === 0 ? [] : [1 - equal / pairs];
  });
  return shareOf(
    rates.reduce((sum, rate) => sum + rate, 0),
    rates.length,
  );
}

/** One comparison in both orders. The winner is named by what it is, not by where it stood. */
export interface SwappedComparison {
  /** Who won when `first` was shown first. */
  readonly winner: 'first' | 'second' | 'tie';
  /** Who won when `second` was shown first. */
  readonly swapped: 'first' | 'second' | 'tie';
}

/** How far the order of showing decides. */
export interface PositionBias {
  readonly compared: number;
  /** The share in which both orders have the same winner. */
  readonly consistency: number | undefined;
  /** Of those that flip between the two, the share in which what was shown first won both times; 0.5 is none. */
  readonly firstShown: number | undefined;
}

/** How far the order of showing decides a pairwise judge. A flip is a tie, not a win. */
export function positionBias(comparisons: readonly SwappedComparison[]): PositionBias {
  const consistent = comparisons.filter(({ winner, swapped }) => winner === swapped).length;
  const toFirst = comparisons.filter(
    ({ winner, swapped }) => winner === 'first' && swapped === 'second',
  ).length;
  const toLast = comparisons.filter(
    ({ winner, swapped }) => winner === 'second' && swapped === 'first',
  ).length;
  return {
    compared: comparisons.length,
    consistency: shareOf(consistent, comparisons.length),
    firstShown: shareOf(toFirst, toFirst + toLast),
  };
}

/**
 * McNemar's exact test: how likely two judges of the same skill would differ as much in what only one of them gets right.
 *
 * @param onlyFirst - How many only the first got right; @param onlySecond - and only the second.
 */
export function mcNemar(onlyFirst: number, onlySecond: number): number {
  const all = onlyFirst + onlySecond;
  const least = Math.min(onlyFirst, onlySecond);
  let log = -all * Math.LN2;
  let sum = 0;
  for (let count = 0; count <= least; count += 1) {
    sum += Math.exp(log);
    log += Math.log((all - count) / (count + 1));
  }
  return Math.min(1, 2 * sum);
}

/** A pass rate as a judge would give it without its errors. */
export interface CorrectedRate extends Interval {
  readonly rate: number;
}

/**
 * The share of good work behind a share of passes (Rogan and Gladen), with an interval that knows of the uncertainty of the judge's
 * own rates. `undefined` for a judge that is no better than chance: nothing can be concluded from it.
 *
 * @param passed - How much passed, of how much; @param calibrated - how the judge did on labelled examples.
 * @throws ReviewLoopError `invalid_options`
 */
export function correctedPassRate(
  passed: { readonly count: number; readonly all: number },
  calibrated: Confusion,
  confidence = 0.95,
): CorrectedRate | undefined {
  checkConfidence(confidence);
  const good = calibrated.truePass + calibrated.falseFail;
  const bad = calibrated.trueFail + calibrated.falsePass;
  if (passed.all === 0 || good === 0 || bad === 0) return undefined;
  const p = passed.count / passed.all;
  checkRange('passed.count / passed.all', p);
  const [tpr, tnr] = [calibrated.truePass / good, calibrated.trueFail / bad];
  const power = tpr + tnr - 1;
  if (power <= 0) return undefined;
  const rate = clamp((p + tnr - 1) / power);
  const smooth = (share: number, all: number): number => (share * all + 1) / (all + 2);
  const spread = (share: number, all: number): number =>
    (smooth(share, all) * (1 - smooth(share, all))) / (all + 2);
  const variance =
    (spread(p, passed.all) + rate ** 2 * spread(tpr, good) + (1 - rate) ** 2 * spread(tnr, bad)) /
    power ** 2;
  const half = normalQuantile((1 + confidence) / 2) * Math.sqrt(variance);
  return { rate, low: clamp(rate - half), high: clamp(rate + half) };
}

/** How much a group of judges is worth. */
export interface JudgeIndependence {
  readonly judges: number;
  /** The mean share of things that two of them judge alike. */
  readonly agreement: number;
  /** The mean kappa of two of them. */
  readonly kappa: number;
  /** How many judges that err independently would be worth as much (Kish). */
  readonly votes: number;
}

/**
 * How many independent votes judges of the same things are worth. Given what is true, their errors are compared; else what they say,
 * which takes two good judges for two dependent ones.
 *
 * @param verdicts - One list for each judge, in the same order of things.
 * @throws ReviewLoopError `invalid_options` for fewer than two judges, or lists of different lengths
 */
export function independentVotes(
  verdicts: readonly (readonly boolean[])[],
  truth?: readonly boolean[],
): JudgeIndependence | undefined {
  if (verdicts.length < 2)
    throw new ReviewLoopError(
      'invalid_options',
      `expected the verdicts of at least two judges, got ${verdicts.length}`,
    );
  const compared =
    truth === undefined
      ? verdicts
      : verdicts.map((list) => list.map((verdict, index) => verdict !== truth[index]));
  const pairs = compared.flatMap((first, index) =>
    compared.slice(index + 1).map((second) => [first, second] as const),
  );
  const kappas = pairs.flatMap(([first, second]) => cohensKappa(first, second) ?? []);
  const agreements = pairs.flatMap(
    ([first, second]) =>
      shareOf(first.filter((verdict, index) => verdict === second[index]).length, first.length) ??
      [],
  );
  if (agreements.length === 0) return undefined;
  const kappa = kappas.length === 0 ? 1 : mean(kappas);
  const judges = verdicts.length;
  return {
    judges,
    agreement: mean(agreements),
    kappa,
    votes: judges / (1 + (judges - 1) * Math.max(0, kappa)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
