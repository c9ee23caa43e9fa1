import { plural } from '../../core/plural.js';
import { countsText } from '../../reports/verdict-counts.js';
import { paintFor } from '../../terminal/colours.js';
import type { Space } from '../../terminal/screen.js';
import { cut } from '../../terminal/table.js';
import type { ExpectedTimes } from './judge-times.js';
import { headRow, itemRows, type LiveItem, mostRows, movingSign } from './live-rows.js';
import type { ReviewerEnd, ReviewerState, RunState } from './run-state.js';
import { durationText, usageTexts } from './short-figures.js';

/** What rows show besides the state of a run. */
export interface RunTimes {
  /** Milliseconds since the command began. */
  readonly elapsedMs: number;
  /** The time on the clock of the state. */
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

/** The ends of reviewers that found nothing. */
const calmEnds: ReadonlySet<ReviewerEnd> = new Set(['passed', 'skipped']);

/** A shorter expectation is not worth a word. */
const leastExpectedMs = 2000;

/** The screen always has colours where it has a block. */
const paint = paintFor(true);

/** Returns a run as rows: how far it is, then its reviewers, then the rest in one row. */
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

/** Returns the reviewers that run, then those that found something or used tokens. */
function worthARow({ asked, running }: RunState, most: number): ReviewerState[] {
  const found = asked.filter(({ end }) => end !== undefined && !calmEnds.has(end));
  const paid = asked.filter(
    ({ end, usage = {} }) => end !== undefined && calmEnds.has(end) && usageTexts(usage).length > 0,
  );
  return [...running, ...found, ...paid].slice(0, most);
}

/** Returns a run as one line of a log. */
export function runLine(state: RunState, times: RunTimes): string {
  const [first = '', ...more] = headParts(state, times);
  const { running } = state;
  const named = running
    .slice(0, 3)
    .map(({ name, since }) => `${nameIn(times, name)} (${durationText(times.now - since)})`);
  const rest = running.length > 3 ? ` and ${running.length - 3} more` : '';
  const names =
    named.length === 0 || state.phase !== '' ? [] : [`running ${named.join(', ')}${rest}`];
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

/** Returns how long the slowest reviewer will still take, where earlier runs tell. */
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
