import type { Assessment } from './assessment.js';
import type { CriterionResult } from './criterion.js';
import { invalid } from './options.js';
import { shortList } from './plural.js';

export interface ShownPart {
  readonly shown: number;
  readonly total: number;
  readonly unit: 'bytes' | 'characters' | 'tokens';
  readonly limit: string;
}

export function partlyShown({ shown, total, unit, limit }: ShownPart): string {
  return `only ${shown} of ${total} ${unit} were shown (${limit})`;
}

/** Endings of paths in `allowed` name files that may be approved unseen. */
export function unseenReason(
  paths: readonly string[],
  allowed: readonly string[] = [],
  why = 'it is not text',
): string | undefined {
  const unseen = paths.filter((path) => !endsAs(path, allowed));
  if (unseen.length === 0) return undefined;
  return `not reviewed, because ${why}: ${shortList(unseen)}${onPurpose}`;
}

/** @param places - Lines that look like secrets, as `PATH:LINE`. */
export function hiddenReason(
  places: readonly string[] = [],
  allowed: readonly string[] = [],
): string | undefined {
  const unseen = places.filter((place) => !endsAs(place.replace(/:\d+$/, ''), allowed));
  if (unseen.length === 0) return undefined;
  return `not shown to reviewers, because it looks like a secret: ${shortList(unseen)}${onPurpose}`;
}

function endsAs(path: string, endings: readonly string[]): boolean {
  return endings.some((ending) => path.endsWith(ending));
}

const onPurpose = ' (allowUnseen leaves files out on purpose)';

export function checkEndings(allowed: unknown): void {
  if (
    allowed !== undefined &&
    !(Array.isArray(allowed) && allowed.every((end) => typeof end === 'string' && end !== ''))
  )
    throw invalid('allowUnseen', "a list of endings of paths, such as '.png'", allowed);
}

/** A pass about a part of the work is `undecided`; a failure stands. */
export function passOfWhole(assessment: Assessment, part: string | undefined): Assessment {
  const { verdict, criterion } = assessment;
  if (part === undefined || verdict !== 'pass') return assessment;
  return { verdict: 'undecided', criterion, reason: part, decidableBy: ['person'] };
}

export function resultOfWhole(result: CriterionResult, part: string | undefined): CriterionResult {
  if (part === undefined || !(result.passed || result.skipped !== undefined)) return result;
  const { skipped: _, ...rest } = result;
  return { ...rest, passed: false, score: 0, undecided: part, decidableBy: ['person'] };
}
