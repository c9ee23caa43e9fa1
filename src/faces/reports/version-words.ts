import { type Gap, isOpen } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import { requirementPrefix } from '../../core/scores.js';
import type { ReviewReport, RunReport } from './run-report.js';
import { countsText, verdictCounts } from './verdict-counts.js';
import { gapCounts } from './verdict-words.js';

export interface ReturnedVersion {
  readonly iteration: number;
  readonly of: number;
  /** Why it is the best, with the numbers of the others; '' for a single version. */
  readonly why: string;
}

/** `undefined` where nothing of that kind was judged. */
export interface VersionNumbers {
  readonly iteration: number;
  readonly best: boolean;
  /** Open ones; `undefined` for an attempt at a task, whose review names none. */
  readonly gaps: number | undefined;
  /** How such an attempt ended. */
  readonly ended?: string | undefined;
  /** How many verdicts there are of which kind, in words. */
  readonly verdicts: string;
  readonly requirements:
    | { readonly met: number; readonly notMet: number; readonly undecided: number }
    | undefined;
  readonly durationMs: number;
}

/** `''`: it was not there. */
export type GapState =
  | ''
  | 'found'
  | 'still open'
  | 'fixed'
  | 'came back'
  | 'no longer there'
  | 'unknown';

/** `version 3 of 3, the best: 0 gaps; version 1 has 20 gaps`. */
export function versionText(version: ReturnedVersion | undefined): string {
  if (version === undefined) return '';
  const { iteration, of, why } = version;
  return `version ${iteration} of ${of}${why === '' ? '' : `, the best: ${why}`}`;
}

export function returnedVersion({ reviews }: RunReport): ReturnedVersion | undefined {
  const best = reviews.find((review) => review.best);
  if (best === undefined) return undefined;
  const { iteration } = best;
  return { iteration, of: reviews.length, why: whyBest(best, reviews) };
}

/** A reason names no more versions. */
const mostOthers = 4;

function whyBest(best: ReviewReport, reviews: readonly ReviewReport[]): string {
  const others = reviews.filter((review) => review !== best);
  if (others.length === 0) return '';
  const named = others.slice(-mostOthers).map((other) => comparedWith(best, other));
  const earlier = others.length - named.length;
  const more = earlier > 0 ? [`and ${earlier} earlier`] : [];
  return `${plural(openIn(best).length, 'gap')}; ${[...named, ...more].join(', ')}`;
}

/** Names what speaks against it where its gaps do not. */
function comparedWith(best: ReviewReport, other: ReviewReport): string {
  const open = openIn(other);
  const mine = openIn(best);
  const severe = open.length > 0 && open.length <= mine.length;
  const left = unanswered(best, other);
  return (
    `version ${other.iteration} has ${severe ? gapCounts(open) : plural(open.length, 'gap')}` +
    (left === 0 ? '' : ` and no answer to ${plural(left, 'check')}`)
  );
}

/** Criteria that judged the best version and gave no answer about the other one. */
function unanswered(best: ReviewReport, other: ReviewReport): number {
  const answered = new Set(
    other.assessments.filter(({ verdict }) => hasAnswer(verdict)).map(({ criterion }) => criterion),
  );
  return best.assessments.filter(
    ({ verdict, criterion }) =>
      (verdict === 'pass' || verdict === 'fail') && !answered.has(criterion),
  ).length;
}

function hasAnswer(verdict: ReviewReport['assessments'][number]['verdict']): boolean {
  return verdict !== 'undecided' && verdict !== 'errored';
}

function openIn({ gaps }: Pick<ReviewReport, 'gaps'>): Gap[] {
  return gaps.filter(isOpen);
}

export function versionNumbers({ reviews }: RunReport): VersionNumbers[] {
  return reviews.map((review) => ({
    iteration: review.iteration,
    best: review.best,
    // the attempts of a task have verdicts, and no gaps
    ...(review.scores.total === 0 && review.assessments.length > 0
      ? { ended: review.decision.kind, gaps: undefined }
      : { gaps: openIn(review).length }),
    requirements: requirementNumbers(review),
    verdicts: countsText(verdictCounts(review.assessments)),
    durationMs: review.durationMs,
  }));
}

function requirementNumbers({ assessments }: ReviewReport): VersionNumbers['requirements'] {
  const asked = assessments.filter(({ criterion }) => criterion.startsWith(requirementPrefix));
  if (asked.length === 0) return undefined;
  const { passed, failed } = verdictCounts(asked);
  return { met: passed, notMet: failed, undecided: asked.length - passed - failed };
}

/** In columns: `20 gaps`, `1 met`, `5 not met`. */
export function versionTexts({ ended, gaps, requirements, verdicts }: VersionNumbers): string[] {
  if (gaps === undefined) return [ended ?? '', verdicts];
  if (requirements === undefined) return [plural(gaps, 'gap')];
  const { met, notMet, undecided } = requirements;
  return [plural(gaps, 'gap'), `${met} met`, `${notMet} not met`, `${undecided} undecided`];
}

const states = {
  new: 'found',
  persisting: 'still open',
  regressed: 'came back',
  fixed: 'fixed',
  gone: 'no longer there',
  unknown: 'unknown',
} as const satisfies Record<NonNullable<Gap['lifecycle']>, GapState>;

/** One state for each review. */
export interface GapLife {
  readonly gap: Gap;
  readonly states: readonly GapState[];
}

export function gapLives({ reviews }: Pick<RunReport, 'reviews'>): GapLife[] {
  const lives = new Map<string, { gap: Gap; states: GapState[] }>();
  reviews.forEach((review, index) => {
    for (const [gap, state] of statesIn(review)) {
      const { states: life } = lives.get(gap.id) ?? { states: reviews.map((): GapState => '') };
      life[index] = state === 'found' ? seenAgain(life.slice(0, index)) : state;
      lives.set(gap.id, { gap, states: life });
    }
  });
  return [...lives.values()];
}

function statesIn({ gaps, fixed, closed = [] }: ReviewReport): (readonly [Gap, GapState])[] {
  const open = new Set(gaps.map(({ id }) => id));
  const ended = [
    ...closed.map((gap) => [gap, states[gap.lifecycle ?? 'unknown']] as const),
    ...fixed.map((gap) => [gap, 'fixed'] as const),
  ];
  return [
    ...ended.filter(([{ id }]) => !open.has(id)),
    ...gaps.map((gap) => [gap, states[gap.lifecycle ?? 'new']] as const),
  ];
}

function seenAgain(earlier: readonly GapState[]): GapState {
  const last = earlier.findLast((state) => state !== '');
  if (last === undefined) return 'found';
  return last === 'found' || last === 'still open' ? 'still open' : 'came back';
}

/** Counts up to the version that came back: `20 found: 16 fixed, 4 open`. */
export function gapTotals({ reviews }: Pick<RunReport, 'reviews'>): string {
  const end = reviews.findIndex(({ best }) => best);
  const lives = gapLives({ reviews: end < 0 ? reviews : reviews.slice(0, end + 1) });
  if (lives.length === 0) return 'none found';
  const last = lives.map(({ states: life }) => life.findLast((state) => state !== '') ?? 'unknown');
  const count = (...words: GapState[]): number =>
    last.filter((state) => words.includes(state)).length;
  const parts = [
    [count('fixed'), 'fixed'],
    [count('no longer there'), 'no longer there'],
    [count('unknown'), 'unknown'],
    [count('found', 'still open', 'came back'), 'open'],
  ] as const;
  const shown = parts.filter(([number, what]) => number > 0 || what === 'open');
  return `${lives.length} found: ${shown.map(([number, what]) => `${number} ${what}`).join(', ')}`;
}
