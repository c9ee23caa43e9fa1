/** Counts of verdicts by label. Good work is positive: `truePass` is good work that passed. */
export interface Confusion {
  readonly truePass: number;
  /** Bad work that passed: the costly error of a gate. */
  readonly falsePass: number;
  readonly trueFail: number;
  /** Good work that failed: it causes needless edits. */
  readonly falseFail: number;
}

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

/** A verdict with its label. */
export interface Judgement {
  readonly passed: boolean;
  readonly good: boolean;
}

/** Returns the counts of verdicts by label. */
export function confusionOf(judgements: Iterable<Judgement>): Confusion {
  const counts = { truePass: 0, falsePass: 0, trueFail: 0, falseFail: 0 };
  for (const { passed, good } of judgements)
    counts[passed ? (good ? 'truePass' : 'falsePass') : good ? 'falseFail' : 'trueFail'] += 1;
  return counts;
}

/** Returns the rates of these counts. */
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

/** Returns a share from 0 to 1; `undefined` if `all` is 0. */
export function shareOf(count: number, all: number): number | undefined {
  return all === 0 ? undefined : count / all;
}
