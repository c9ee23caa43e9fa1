import type { Assessment } from './assessment.js';
import type { CriterionResult } from './criterion.js';

/** How much of the work a judge was shown. */
export interface ShownPart {
  readonly shown: number;
  readonly total: number;
  readonly unit: 'bytes' | 'characters' | 'tokens';
  /** The option that limits it. */
  readonly limit: string;
}

/** Returns why a pass about a part of the work does not count. */
export function partlyShown({ shown, total, unit, limit }: ShownPart): string {
  return `only ${shown} of ${total} ${unit} were shown (${limit})`;
}

/** Returns the assessment. A pass about a part of the work is `undecided`; a failure stands. */
export function passOfWhole(assessment: Assessment, part: string | undefined): Assessment {
  const { verdict, criterion } = assessment;
  if (part === undefined || verdict !== 'pass') return assessment;
  return { verdict: 'undecided', criterion, reason: part, decidableBy: ['person'] };
}

/** Does for a result what {@link passOfWhole} does for an assessment. */
export function resultOfWhole(result: CriterionResult, part: string | undefined): CriterionResult {
  if (part === undefined || !(result.passed || result.skipped !== undefined)) return result;
  const { skipped: _, ...rest } = result;
  return { ...rest, passed: false, score: 0, undecided: part, decidableBy: ['person'] };
}
