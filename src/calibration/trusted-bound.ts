import { wilsonInterval } from './interval.js';

/** A verdict with its score, and what a person said. */
interface Decided {
  readonly verdict: 'pass' | 'fail';
  readonly score?: number | undefined;
  readonly label: 'pass' | 'fail';
}

/** How many decisions a rule needs, and how many of them must agree. */
interface Bars {
  readonly minAgreement: number;
  readonly minDecisions: number;
  readonly compare: 'interval' | 'estimate';
}

/** Returns how often people agreed with one verdict. */
export function agreementOf(
  decided: readonly Decided[],
  verdict: Decided['verdict'],
): { readonly agreed: number; readonly of: number } {
  const own = decided.filter((one) => one.verdict === verdict);
  return { agreed: own.filter(({ label }) => label === verdict).length, of: own.length };
}

/**
 * Returns the score from which passes, or up to which fails, are trusted: the bound that keeps the
 * most verdicts while people agree with enough of them. Null if no bound does, and undefined if all
 * are trusted or too few were decided.
 */
export function trustedBound(
  decided: readonly Decided[],
  verdict: Decided['verdict'],
  { minAgreement, minDecisions, compare }: Bars,
): number | null | undefined {
  const own = decided.filter((one) => one.verdict === verdict);
  const isEnough = (agreed: number, of: number): boolean => {
    if (of < minDecisions) return false;
    const low = compare === 'interval' ? wilsonInterval(agreed, of)?.low : agreed / of;
    return low !== undefined && low >= minAgreement;
  };
  const whole = agreementOf(own, verdict);
  if (whole.of < minDecisions || isEnough(whole.agreed, whole.of)) return undefined;
  // the surest first; the last bound that holds keeps the most
  const sure = own
    .flatMap(({ score, label }) => (score === undefined ? [] : [{ score, label }]))
    .sort((a, b) => (verdict === 'pass' ? b.score - a.score : a.score - b.score));
  let agreed = 0;
  let bound: number | null = null;
  for (const [index, { score, label }] of sure.entries()) {
    if (label === verdict) agreed += 1;
    const isLastOfScore = sure[index + 1]?.score !== score;
    if (isLastOfScore && isEnough(agreed, index + 1)) bound = score;
  }
  return bound;
}
