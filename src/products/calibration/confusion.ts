import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';

const count = () => z.int().min(0);

export const ConfusionSchema = builtOnUse(() =>
  z.object({
    truePass: count(),
    /** Bad work that passed: the costly error of a gate. */
    falsePass: count(),
    trueFail: count(),
    /** Good work that failed: it causes needless edits. */
    falseFail: count(),
  }),
);

/** Counts of verdicts by label. Good work is positive: `truePass` is good work that passed. */
export interface Confusion extends Readonly<z.infer<typeof ConfusionSchema>> {}

/** The rates of a judge; a rate without examples is `undefined`. */
export interface Rates {
  /** The share of good work that passes. */
  readonly tpr: number | undefined;
  /** The share of bad work that fails. */
  readonly tnr: number | undefined;
  /** The share of passes that are good. */
  readonly precision: number | undefined;
  readonly accuracy: number | undefined;
  /** The mean of `tpr` and `tnr`: 0.5 is chance. */
  readonly balancedAccuracy: number | undefined;
}

export interface Judgement {
  readonly passed: boolean;
  readonly good: boolean;
}

export function confusionOf(judgements: Iterable<Judgement>): Confusion {
  const counts = { truePass: 0, falsePass: 0, trueFail: 0, falseFail: 0 };
  for (const { passed, good } of judgements)
    counts[passed ? (good ? 'truePass' : 'falsePass') : good ? 'falseFail' : 'trueFail'] += 1;
  return counts;
}

export function ratesOf({ truePass, falsePass, trueFail, falseFail }: Confusion): Rates {
  const tpr = shareOf(truePass, truePass + falseFail);
  const tnr = shareOf(trueFail, trueFail + falsePass);
  return {
    tpr,
    tnr,
    precision: shareOf(truePass, truePass + falsePass),
    accuracy: shareOf(truePass + trueFail, truePass + trueFail + falsePass + falseFail),
    balancedAccuracy: tpr === undefined || tnr === undefined ? undefined : (tpr + tnr) / 2,
  };
}

function shareOf(count: number, all: number): number | undefined {
  return all === 0 ? undefined : count / all;
}

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

/**
 * Returns Cohen's kappa: the agreement of two judges beyond chance, from -1 to 1. `undefined`
 * without items, or if both judges always give the same single value.
 *
 * @example
 * ```ts
 * cohensKappa([1, 1, 2, 2], [1, 2, 2, 2]); // 0.5
 * ```
 */
export function cohensKappa<Value extends string | number | boolean>(
  first: readonly Value[],
  second: readonly Value[],
): number | undefined {
  const all = first.length;
  if (all !== second.length)
    throw new ReviewLoopError(
      'invalid_options',
      `expected two lists of the same length, got ${all} and ${second.length}`,
    );
  const differing = first.filter((value, index) => value !== second[index]).length;
  const shareIn = (values: readonly Value[], value: Value): number =>
    values.filter((one) => one === value).length / all;
  const alike = [...new Set(first)].reduce(
    (sum, value) => sum + shareIn(first, value) * shareIn(second, value),
    0,
  );
  return all === 0 || alike === 1 ? undefined : 1 - differing / all / (1 - alike);
}
