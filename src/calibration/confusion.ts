/** How verdicts and labels fall together. Positive is good work: `truePass` was good and passed. */
export interface Confusion {
  readonly truePass: number;
  /** Bad, and passed all the same: the costly error of a gate. */
  readonly falsePass: number;
  readonly trueFail: number;
  /** Good, and failed: an order to edit what was right. */
  readonly falseFail: number;
}

/** What a confusion says of a judge; `undefined` where nothing of that kind was seen. */
export interface Rates {
  /** The share of good work that passes. */
  readonly tpr: number | undefined;
  /** The share of bad work that fails. */
  readonly tnr: number | undefined;
  /** The share of passes that were good. */
  readonly precision: number | undefined;
  readonly accuracy: number | undefined;
  /** The mean of `tpr` and `tnr`: 0.5 is chance. */
  readonly balancedAccuracy: number | undefined;
}

/** A verdict beside what is true; `true` is a pass. */
export interface Judgement {
  readonly passed: boolean;
  readonly good: boolean;
}

/** Counts how verdicts and labels fall together. */
export function confusionOf(judgements: Iterable<Judgement>): Confusion {
  const counts = { truePass: 0, falsePass: 0, trueFail: 0, falseFail: 0 };
  for (const { passed, good } of judgements)
    counts[passed ? (good ? 'truePass' : 'falsePass') : good ? 'falseFail' : 'trueFail'] += 1;
  return counts;
}

/** The rates of a confusion. */
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

/** A share; `undefined` of nothing. */
export function shareOf(count: number, all: number): number | undefined {
  return all === 0 ? undefined : count / all;
}
