import { ReviewLoopError } from '../core/errors.js';
import { checkRange } from '../core/options.js';
import { type Confusion, shareOf } from './confusion.js';
import { checkConfidence, type Interval } from './interval.js';
import { cohensKappa } from './kappa.js';
import { normalQuantile } from './normal-distribution.js';

/**
 * Returns how often two runs of a judge over the same item disagree, from 0 to 1: the mean over
 * items of the share of disagreeing pairs. `undefined` without any pair.
 */
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

/** A comparison in both orders. The winners name the items, not the positions. */
export interface SwappedComparison {
  /** The winner when `first` is shown first. */
  readonly winner: 'first' | 'second' | 'tie';
  /** The winner when `second` is shown first. */
  readonly swapped: 'first' | 'second' | 'tie';
}

/** How much the order of two items decides. */
export interface PositionBias {
  /** Number of comparisons. */
  readonly compared: number;
  /** The share of comparisons with the same winner in both orders. */
  readonly consistency: number | undefined;
  /** Of the flipped comparisons, the share that the first shown item wins; 0.5 means no bias. */
  readonly firstShown: number | undefined;
}

/** Returns how much the order of two items decides the verdict of a pairwise judge. */
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
 * Returns the p-value of McNemar's exact test: how likely two equally good judges differ this much.
 *
 * @param onlyFirst - Number of items that only the first judge got right.
 * @param onlySecond - Number of items that only the second judge got right.
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

/** A pass rate, corrected for the errors of the judge. */
export interface CorrectedRate extends Interval {
  readonly rate: number;
}

/**
 * Returns the share of good work behind a share of passes (Rogan and Gladen). The interval includes
 * the uncertainty of the judge's rates. `undefined` for a judge that is not better than chance.
 *
 * @param passed - The number of passes, and of all verdicts.
 * @param calibrated - The verdicts of the judge on labelled examples.
 * @param confidence - Confidence level of the interval, between 0 and 1. Default: 0.95.
 * @throws ReviewLoopError `invalid_options`
 */
export function correctedPassRate(
  passed: { readonly count: number; readonly all: number },
  calibrated: Confusion,
  confidence = 0.95,
): CorrectedRate | undefined {
  checkConfidence('confidence', confidence);
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

/** How independent a group of judges is. */
export interface JudgeIndependence {
  /** Number of judges. */
  readonly judges: number;
  /** The mean share of items on which two judges agree. */
  readonly agreement: number;
  /** The mean kappa of two judges. */
  readonly kappa: number;
  /** The number of independent judges with the same information (Kish). */
  readonly votes: number;
}

/**
 * Returns how many independent votes a group of judges is worth. With `truth` it compares their
 * errors, else their verdicts, which underrates good judges.
 *
 * @param verdicts - One list for each judge, in the same order of items.
 * @param truth - The true verdict on each item.
 * @throws ReviewLoopError `invalid_options` for fewer than two judges, or lists of different
 *   lengths
 */
export function independentVotes(
  verdicts: readonly (readonly boolean[])[],
  truth?: readonly boolean[],
): JudgeIndependence | undefined {
  if (verdicts.length < 2)
    throw new ReviewLoopError(
      'invalid_options',
      `expected \`verdicts\` of at least two judges, got ${verdicts.length}`,
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
