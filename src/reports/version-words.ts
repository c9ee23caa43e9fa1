import { type Gap, isOpen } from '../core/gap.js';
import { plural } from '../core/plural.js';
import { requirementPrefix } from '../core/scores.js';
import type { ReviewReport, RunReport } from './run-report.js';
import { gapCounts } from './verdict-words.js';

/** The version that came back. */
export interface ReturnedVersion {
  readonly iteration: number;
  readonly of: number;
  /** Why it is the best, with the numbers of the others; '' for a single version. */
  readonly why: string;
}

/** What one version has, in numbers. `undefined` where nothing of that kind was judged. */
export interface VersionNumbers {
  readonly iteration: number;
  readonly best: boolean;
  readonly gaps: number;
  readonly requirements:
    | { readonly met: number; readonly notMet: number; readonly undecided: number }
    | undefined;
  readonly durationMs: number;
}

/** What became of a gap in a version. `''`: it was not there. */
export type GapState =
  | ''
  | 'found'
  | 'still open'
  | 'fixed'
  | 'came back'
  | 'no longer there'
  | 'unknown';

/** Returns the version that came back, and why; `undefined` if none was reviewed. */
export function returnedVersion({ reviews }: RunReport): ReturnedVersion | undefined {
  const best = reviews.find((review) => review.best);
  if (best === undefined) return undefined;
  const { iteration } = best;
  return { iteration, of: reviews.length, why: whyBest(best, reviews) };
}

/** The most other versions that a reason names. */
const mostOthers = 4;

function whyBest(best: ReviewReport, reviews: readonly ReviewReport[]): string {
  const others = reviews.filter((review) => review !== best);
  if (others.length === 0) return '';
  const named = others.slice(-mostOthers).map((other) => comparedWith(best, other));
  const earlier = others.length - named.length;
  const more = earlier > 0 ? [`and ${earlier} earlier`] : [];
  return `${plural(openIn(best).length, 'gap')}; ${[...named, ...more].join(', ')}`;
}

/** Returns what another version has, with what speaks against it where its gaps do not. */
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

/** How many criteria judged the best version and gave no answer about the other one. */
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

/** Returns the numbers of each version. */
export function versionNumbers({ reviews }: RunReport): VersionNumbers[] {
  return reviews.map((review) => {
    const asked = review.assessments.filter(({ criterion }) =>
      criterion.startsWith(requirementPrefix),
    );
    const count = (...verdicts: string[]): number =>
      asked.filter(({ verdict }) => verdicts.includes(verdict)).length;
    return {
      iteration: review.iteration,
      best: review.best,
      gaps: openIn(review).length,
      requirements:
        asked.length === 0
          ? undefined
          : {
              met: count('pass'),
              notMet: count('fail'),
              undecided: count('undecided', 'errored', 'skipped'),
            },
      durationMs: review.durationMs,
    };
  });
}

/** Returns the numbers of all versions in columns: `20 gaps`, `1 met`, `5 not met`. */
export function versionTexts({ gaps, requirements }: VersionNumbers): string[] {
  return [
    plural(gaps, 'gap'),
    ...(requirements === undefined
      ? []
      : [
          `${requirements.met} met`,
          `${requirements.notMet} not met`,
          `${requirements.undecided} undecided`,
        ]),
  ];
}

const states = {
  new: 'found',
  persisting: 'still open',
  regressed: 'came back',
  fixed: 'fixed',
  gone: 'no longer there',
  unknown: 'unknown',
} as const satisfies Record<NonNullable<Gap['lifecycle']>, GapState>;

/** Returns what became of each gap of a run, with one state for each review. */
export function gapLives({
  reviews,
}: Pick<RunReport, 'reviews'>): { readonly gap: Gap; readonly states: readonly GapState[] }[] {
  const lives = new Map<string, { gap: Gap; states: GapState[] }>();
  reviews.forEach(({ gaps, fixed, closed = [] }, index) => {
    const now = new Map<string, GapState>();
    for (const gap of closed) now.set(gap.id, states[gap.lifecycle ?? 'unknown']);
    for (const gap of fixed) now.set(gap.id, 'fixed');
    for (const gap of gaps) now.set(gap.id, states[gap.lifecycle ?? 'new']);
    for (const gap of [...closed, ...fixed, ...gaps]) {
      const life = lives.get(gap.id) ?? { gap, states: reviews.map(() => '' as const) };
      const state = now.get(gap.id) ?? '';
      const known = life.states.slice(0, index).findLast((earlier) => earlier !== '');
      life.states[index] =
        state === 'found' && known !== undefined
          ? known === 'found' || known === 'still open'
            ? 'still open'
            : 'came back'
          : state;
      lives.set(gap.id, { ...life, gap });
    }
  });
  return [...lives.values()];
}

/** Returns what became of the gaps up to the version that came back: `20 found: 16 fixed, 4 open`. */
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
