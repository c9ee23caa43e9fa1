import type { Assessment } from '../../../core/assessment.js';
import { plural, shortList } from '../../../core/plural.js';
import { addUsage, type Usage } from '../../../core/usage.js';
import { paintFor } from '../../../node/terminal/colours.js';
import type { Space } from '../../../node/terminal/screen.js';
import { cut } from '../../../node/terminal/table.js';
import { countsText, type VerdictCounts, verdictCounts } from '../../reports/verdict-counts.js';
import type { ExpectedTimes } from './judge-times.js';
import {
  durationText,
  headRow,
  itemRows,
  type LiveItem,
  mostRows,
  movingSign,
  usageTexts,
} from './live-view.js';

export interface RunTimes {
  /** Milliseconds since the command began. */
  readonly elapsedMs: number;
  readonly now: number;
  /** How long each reviewer took in earlier runs, in milliseconds. */
  readonly expected: ExpectedTimes;
  /** What is reviewed. @default the number of the review */
  readonly title?: string | undefined;
  /** Returns the name of a reviewer for people. @default its id */
  readonly nameOf?: ((reviewer: string) => string) | undefined;
}

const ends: Readonly<Record<ReviewerEnd, readonly [string, LiveItem['style']]>> = {
  passed: ['✓', 'good'],
  failed: ['✗', 'bad'],
  undecided: ['?', 'minor'],
  errored: ['!', 'bad'],
  skipped: ['-', 'faint'],
};

const calmEnds: ReadonlySet<ReviewerEnd> = new Set(['passed', 'skipped']);

/** A shorter expectation is not worth a word. */
const leastExpectedMs = 2000;

/** The screen always has colours where it has a block. */
const paint = paintFor(true);

/** How far it is, then its reviewers, then the rest in one row. */
export function runRows(state: RunState, times: RunTimes, space: Space): string[] {
  const { columns } = space;
  const rows = Math.min(space.rows, mostRows);
  const head = headRow(times.elapsedMs, headParts(state, times), columns);
  if (state.phase !== '' || state.total === 0) return [head];
  const { asked } = state;
  const waiting = Math.max(0, state.total - asked.length);
  const fitsAll = asked.length + (waiting > 0 ? 1 : 0) < rows;
  const listed = fitsAll ? asked : worthARow(state, Math.max(0, rows - 2));
  const items = listed.map((reviewer) => itemOf(reviewer, times));
  const rest = restOf(state, {
    shown: Math.min(listed.length, state.running.length),
    fitsAll,
    waiting,
  });
  return [
    head,
    ...itemRows(items, { columns, paint }),
    ...(rest === '' ? [] : [cut(`    ${rest}`, columns)]),
  ];
}

function worthARow({ asked, running }: RunState, most: number): ReviewerState[] {
  const found = asked.filter(({ end }) => end !== undefined && !calmEnds.has(end));
  const paid = asked.filter(
    ({ end, usage = {} }) => end !== undefined && calmEnds.has(end) && usageTexts(usage).length > 0,
  );
  return [...running, ...found, ...paid].slice(0, most);
}

export function runLine(state: RunState, times: RunTimes): string {
  const [first = '', ...more] = headParts(state, times);
  const { running } = state;
  const named = running.map(
    ({ name, since }) => `${nameIn(times, name)} (${durationText(times.now - since)})`,
  );
  const names = named.length === 0 || state.phase !== '' ? [] : [`running ${shortList(named, 3)}`];
  return [`${durationText(times.elapsedMs)} ${first}`, ...more, ...names].join(', ');
}

function headParts(state: RunState, times: RunTimes): string[] {
  const used = usageTexts(state.usage);
  if (state.phase !== '') return [state.phase, ...used, ...leftOf(state, times)];
  if (state.total === 0) return ['starting'];
  return [
    times.title ?? `review ${state.iteration}`,
    `${state.done}/${plural(state.total, 'check')}`,
    ...(state.gaps === 0 ? [] : [plural(state.gaps, 'gap')]),
    ...used,
    ...leftOf(state, times),
  ];
}

function leftOf({ phase, running, worker }: RunState, { expected, now }: RunTimes): string[] {
  const working = phase === '' ? running : worker === undefined ? [] : [worker];
  const left = working.flatMap(({ name, since }) => {
    const ms = expected.get(name);
    return ms === undefined || ms < leastExpectedMs ? [] : [ms - (now - since)];
  });
  const most = Math.max(0, ...left);
  return most === 0 ? [] : [`about ${durationText(Math.max(1000, most))} left`];
}

function nameIn({ nameOf }: RunTimes, reviewer: string): string {
  return nameOf?.(reviewer) ?? reviewer;
}

function itemOf(reviewer: ReviewerState, times: RunTimes): LiveItem {
  const { now, elapsedMs, expected } = times;
  const { since, end, ms, isReused, usage = {} } = reviewer;
  const name = nameIn(times, reviewer.name);
  if (end === undefined) {
    const usual = expected.get(reviewer.name) ?? 0;
    const facts = usual < leastExpectedMs ? [] : [`usually ${durationText(usual)}`];
    return { sign: movingSign(elapsedMs), style: 'faint', name, ms: now - since, facts };
  }
  const [sign, style] = ends[end];
  const facts = isReused === true ? ['cached'] : usageTexts(usage);
  return { sign, style, name, ms, facts };
}

interface Rest {
  readonly shown: number;
  readonly fitsAll: boolean;
  readonly waiting: number;
}

function restOf(state: RunState, { shown, fitsAll, waiting }: Rest): string {
  const more = state.running.length - shown;
  return [
    ...(!fitsAll && more > 0 ? [`${more} more running`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(!fitsAll && state.done > 0 ? [countsText(state.counts)] : []),
  ].join(', ');
}

/** How the answer of a reviewer ended, its worst assessment first. */
type ReviewerEnd = 'errored' | 'failed' | 'undecided' | 'passed' | 'skipped';

interface ReviewerState {
  readonly name: string;
  readonly since: number;
  /** How it ended; `undefined` while it works. */
  end?: ReviewerEnd;
  /** How long it took, in milliseconds. */
  ms?: number;
  isReused?: boolean;
  usage?: Usage;
}

export class RunState {
  readonly reviewers = new Map<string, ReviewerState>();
  /** What happens besides a review; '' during a review. */
  phase = '';
  /** Who works in the phase, if earlier runs tell about it, and since when. */
  worker: { readonly name: string; readonly since: number } | undefined;
  iteration = 0;
  total = 0;
  gaps = 0;
  usage: Usage = {};
  readonly #verdicts: { readonly verdict: Assessment['verdict'] }[] = [];

  beginPhase(phase: string, worker: string | undefined, now: number): void {
    this.phase = phase;
    this.worker = worker === undefined ? undefined : { name: worker, since: now };
  }

  beginReview(iteration: number, reviewers: number): void {
    this.phase = '';
    this.iteration = iteration;
    this.total = reviewers;
    this.gaps = 0;
    this.reviewers.clear();
    this.#verdicts.length = 0;
  }

  beginReviewer(name: string, now: number): void {
    this.reviewers.set(name, { name, since: now });
  }

  endReviewer(
    name: string,
    answer: {
      readonly assessments: readonly Assessment[];
      readonly reused: boolean;
      readonly usage: Usage;
    },
    now: number,
  ): void {
    const { assessments, reused, usage } = answer;
    const state = this.reviewers.get(name) ?? { name, since: now };
    this.reviewers.set(name, {
      ...state,
      end: endOf(assessments),
      ms: now - state.since,
      isReused: reused,
      usage: reused ? {} : usage,
    });
    for (const assessment of assessments) {
      this.#verdicts.push({ verdict: assessment.verdict });
      if ('gaps' in assessment) this.gaps += assessment.gaps.length;
    }
    // the cost of a cached verdict was paid before
    if (!reused) this.usage = addUsage(this.usage, usage);
  }

  /** All reviewers that were asked, in their order. */
  get asked(): ReviewerState[] {
    return [...this.reviewers.values()];
  }

  get done(): number {
    return this.asked.length - this.running.length;
  }

  get running(): ReviewerState[] {
    return this.asked.filter(({ end }) => end === undefined);
  }

  get counts(): VerdictCounts {
    return verdictCounts(this.#verdicts);
  }
}

function endOf(assessments: readonly Assessment[]): ReviewerEnd {
  const { errored, failed, undecided, passed } = verdictCounts(assessments);
  if (errored > 0) return 'errored';
  if (failed > 0) return 'failed';
  if (undecided > 0) return 'undecided';
  return passed > 0 ? 'passed' : 'skipped';
}
