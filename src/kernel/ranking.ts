import { isVerdict, type Judged } from './assessment.js';
import { checkKeys, invalid } from './options.js';
import type { Finding } from './policy.js';

/** Pure. Does the challenger replace the incumbent as the best version? */
export type Ranking = (challenger: Finding, incumbent: Finding) => boolean;

/** Criteria that must not turn from pass: their ids, or a test of an id. */
export type Protected = readonly string[] | ((criterion: string) => boolean);

/** What {@link keepBest} holds on to. */
export interface KeepBestOptions {
  /** Criteria that no better score makes up for. @default none */
  readonly protect?: Protected | undefined;
}

/**
 * Keep the best, strictly: the challenger wins only when it is scored on every criterion that the incumbent is scored
 * on, no protected criterion turned from pass, and its overall score is strictly higher. A tie keeps the incumbent.
 * After TextGrad's revert and the finding that edits pile up damage (security degradation in iterative code generation).
 */
export function keepBest(options: KeepBestOptions = {}): Ranking {
  checkKeys('keepBest', options, ['protect']);
  const isProtected = protection(options.protect);
  return (challenger, incumbent) => {
    const verdicts = new Map(challenger.assessments.map((assessment) => [assessment.criterion, assessment]));
    const isScored = ({ criterion }: Judged): boolean => {
      const now = verdicts.get(criterion);
      return now !== undefined && isVerdict(now);
    };
    if (!incumbent.assessments.filter(isVerdict).every(isScored)) return false;
    return turnedFromPass(incumbent, challenger, isProtected).length === 0 && challenger.scores.overall > incumbent.scores.overall;
  };
}

/** A protection as a test. @throws ReviewLoopError `invalid_options` */
export function protection(given: Protected | undefined): (criterion: string) => boolean {
  if (typeof given === 'function') return given;
  if (given !== undefined && !(Array.isArray(given) && given.every((id) => typeof id === 'string'))) throw invalid('protect', 'a list of ids, or a function', given);
  const ids = new Set(given);
  return (criterion) => ids.has(criterion);
}

/** The protected criteria that pass in one version and no longer do in another. */
export function turnedFromPass(before: Finding, after: Finding, isProtected: (criterion: string) => boolean): readonly string[] {
  const passing = new Set(after.assessments.filter(({ verdict }) => verdict === 'pass').map(({ criterion }) => criterion));
  return before.assessments.filter(({ verdict, criterion }) => verdict === 'pass' && isProtected(criterion) && !passing.has(criterion)).map(({ criterion }) => criterion);
}
