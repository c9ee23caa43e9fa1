import type { CoverageEvidence } from '../../core/coverage.js';
import type { RequirementDecision } from '../../core/criterion.js';
import type { NumberClaim } from '../../requirements/claim/claim.js';
import { fulfils, inWords } from '../../requirements/claim/quantity.js';

/** How many things one place has: a number that is certain, and one that is possible. */
export interface SeenNumber {
  /** The file, for explanations. */
  readonly where: string;
  readonly least: number;
  readonly most: number;
  /** The places of the things that are certain. */
  readonly evidence: readonly CoverageEvidence[];
}

const mostEvidence = 5;

/** Returns the decision about a number of things, as seen in each place where the claim looks. */
export function numberDecision(
  claim: NumberClaim,
  seen: readonly SeenNumber[],
): RequirementDecision | undefined {
  const satisfied = verdictOf(claim, seen);
  if (satisfied === undefined) return undefined;
  const shown = seen.filter(
    ({ least, most }) => fulfils(claim.quantity, { least, most }) === satisfied,
  );
  const found = shown.map(({ where, least }) => `${least} in ${where}`).slice(0, mostEvidence);
  const files = satisfied ? [] : shown.filter(({ evidence }) => evidence.length === 0);
  return {
    satisfied,
    explanation: `${thingOf(claim)}: ${inWords(claim.quantity)} asked for, ${found.join(', ')}`,
    evidence: shown.flatMap(({ evidence }) => evidence).slice(0, mostEvidence),
    ...(files.length > 0 && { files: files.map(({ where }) => where) }),
  };
}

/** Returns the verdict that each place gives, and also all places together. */
function verdictOf(
  { quantity, place: { over } }: NumberClaim,
  seen: readonly SeenNumber[],
): boolean | undefined {
  if (seen.length === 0) return undefined;
  const verdicts = seen.map((one) => fulfils(quantity, one));
  const isEvery = (wanted: boolean): boolean => verdicts.every((verdict) => verdict === wanted);
  if (over === 'each') return verdicts.includes(false) ? false : isEvery(true) || undefined;
  const together = fulfils(quantity, {
    least: seen.reduce((sum, { least }) => sum + least, 0),
    most: seen.reduce((sum, { most }) => sum + most, 0),
  });
  if (together === true)
    return (over === 'some' ? verdicts.includes(true) : isEvery(true)) || undefined;
  return together === false && isEvery(false) ? false : undefined;
}

/** What a check found about a property of all things of a kind. */
export interface SeenProperty {
  /** The things that have it. */
  readonly having: number;
  /** Some places of the things that have it. */
  readonly shown: readonly CoverageEvidence[];
  /** The places of the things that lack it. */
  readonly lacking: readonly CoverageEvidence[];
  /** The number of things about which nothing is certain. */
  readonly unclear: number;
}

/** Returns the decision about a property of all things. Nothing is decided without any thing. */
export function propertyDecision(
  what: string,
  seen: readonly SeenProperty[],
): RequirementDecision | undefined {
  const having = seen.reduce((sum, one) => sum + one.having, 0);
  const unclear = seen.reduce((sum, one) => sum + one.unclear, 0);
  const lacking = seen.flatMap((one) => one.lacking);
  const shown = seen.flatMap((one) => one.shown);
  if (lacking.length > 0)
    return {
      satisfied: false,
      explanation: `${what}: ${lacking.length} of ${having + lacking.length + unclear} lack it`,
      evidence: lacking.slice(0, mostEvidence),
    };
  return unclear > 0 || having === 0
    ? undefined
    : {
        satisfied: true,
        explanation: `${what}: all ${having} have it`,
        evidence: shown.slice(0, mostEvidence),
      };
}

function thingOf({ kind, text }: NumberClaim): string {
  const name = kind.replaceAll('-', ' ');
  return text === undefined ? name : `${name} "${text.slice(0, 80)}"`;
}
