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
  const isEnough = (some: readonly Decided[]): boolean => {
    const { agreed, of } = agreementOf(some, verdict);
    if (of < minDecisions) return false;
    const low = compare === 'interval' ? wilsonInterval(agreed, of)?.low : agreed / of;
    return low !== undefined && low >= minAgreement;
  };
  if (own.length < minDecisions || isEnough(own)) return undefined;
  const isPass = verdict === 'pass';
  const scores = [...new Set(own.flatMap(({ score }) => score ?? []))];
  // the widest bound first
  scores.sort((a, b) => (isPass ? a - b : b - a));
  const bound = scores.find((at) =>
    isEnough(
      own.filter(({ score }) => score !== undefined && (isPass ? score >= at : score <= at)),
    ),
  );
  return bound ?? null;
}
