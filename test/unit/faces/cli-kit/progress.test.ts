import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stripAnsi from 'strip-ansi';
import { describe, expect, it, test } from 'vitest';
import { JudgeTimes } from '@/faces/cli-kit/show/judge-times.js';
import { Progress, type ProgressIo } from '@/faces/cli-kit/show/progress.js';
import { folderFiles } from '@/node/store-file.js';
import type { Draw } from '@/node/terminal/screen.js';
import { type FakeClock, fakeClock } from '@/testing/index.js';
import { newFolder } from '../../../resume/children.js';

/** Streams of a log or a terminal; `shown` has the frames of a terminal and the lines of a log. */
function streams(columns: number | undefined, more: Partial<ProgressIo> = {}) {
  const lines: string[] = [];
  const frames: string[][] = [];
  const show = (draw: Draw): void =>
    void frames.push(
      [...draw({ columns: (columns ?? 80) - 1, rows: 30 })].map((row) => stripAnsi(row)),
    );
  const io: ProgressIo = {
    err: (text) => void lines.push(text.trimEnd()),
    errColumns: columns,
    outColumns: columns,
    ...(columns !== undefined && { live: { show, hide: () => {} } }),
    ...more,
  };
  return { io, lines, frames, last: () => frames.at(-1) ?? [] };
}

/** A run that follows a script: no pipeline of its own delays the clock. */
function source() {
  const listeners = new Map<string, (payload: object) => void>();
  return {
    on: (name: string, listener: unknown) => void listeners.set(name, listener as never),
    send: (name: string, payload: object) => listeners.get(name)?.(payload),
  };
}

/** The progress of a run, with its streams. */
function following(
  columns: number | undefined,
  options: object = {},
  more: Partial<ProgressIo> = {},
) {
  const clock = fakeClock();
  const shown = streams(columns, more);
  const progress = new Progress(shown.io, { clock, ...options });
  const run = source();
  progress.follow(run);
  return { clock, progress, run, ...shown };
}

type Source = ReturnType<typeof source>;

const gap = { id: 'g' };
const scores = { quality: 0.67, completeness: null, correctness: null };
const passed = { verdict: 'pass', criterion: 'c', score: 1, explanation: '', gaps: [] };
const failed = { verdict: 'fail', criterion: 'c', score: 0, explanation: '', gaps: [gap] };
const usage = { totalTokens: 1200, costUsd: 0.01 };

/** Sends one review, whose judges answer after so many milliseconds; `two` fails. */
async function review(
  { send }: Source,
  clock: FakeClock,
  { judges, iteration = 1, until }: { judges: Judges; iteration?: number; until?: number },
) {
  const names = Object.keys(judges);
  send('review-start', { iteration, reviewers: names.length });
  for (const reviewer of names) send('reviewer-start', { reviewer });
  let now = 0;
  const pass = async (to: number): Promise<void> => {
    await clock.advanceAsync(to - now);
    now = to;
  };
  for (const [reviewer, ms] of Object.entries(judges).sort(([, a], [, b]) => a - b)) {
    if (until !== undefined && ms > until) continue;
    await pass(ms);
    const assessments = [reviewer === 'two' ? failed : passed];
    send('reviewer-end', { reviewer, assessments, reused: false, usage });
  }
  if (until !== undefined) return pass(until);
  const assessments = names.map((name) => (name === 'two' ? failed : passed));
  const gaps = names.includes('two') ? [gap] : [];
  send('review-end', {
    review: {
      iteration,
      assessments,
      gaps,
      scores: {
        ...scores,
        overall: 0.67,
        judged: 1,
        total: 1,
        criteria: { met: 1, judged: 1, total: 1 },
        requirements: { met: 0, judged: 0, total: 0 },
      },
    },
  });
}

type Judges = Readonly<Record<string, number>>;

const judges = { one: 2000, two: 4000, three: 9000 };

describe('the progress of a review on a terminal', () => {
  test('shows each reviewer with state, time, tokens and money [R2-084]', async () => {
    const { clock, progress, run, last } = following(80);
    expect(last()[0]).toMatch(/^. 0 s {2}starting$/);
    await review(run, clock, { judges, until: 5000 });
    expect(last()).toEqual([
      expect.stringMatching(/^. 5 s {2}review 1 {2}2\/3 checks {2}1 gap {2}2\.4k tok {2}\$0\.02$/),
      '  ✓ 2 s  one    1.2k tok  $0.01',
      '  ✗ 4 s  two    1.2k tok  $0.01',
      expect.stringMatching(/^ {2}. 5 s {2}three$/),
    ]);
    progress.stop();
  });

  test('shows how long a reviewer usually takes, where earlier runs tell', async () => {
    const { clock, progress, run, last } = following(80);
    progress.expect(Promise.resolve(new Map([['three', 12_000]])));
    await review(run, clock, { judges, until: 5000 });
    expect(last()[0]).toMatch(/about 7 s left$/);
    expect(last()[3]).toMatch(/5 s {2}three {2}usually 12 s$/);
    progress.stop();
  });

  test('moves something every second while one slow judge works', async () => {
    const { clock, progress, run, last } = following(80);
    await review(run, clock, { judges: { slow: 60_000 }, until: 500 });
    let before = '';
    for (let second = 0; second < 20; second += 1) {
      await clock.advanceAsync(1000);
      expect(last().join('\n')).not.toBe(before);
      before = last().join('\n');
    }
    progress.stop();
  });

  test('more reviewers than rows: those that found something or used tokens stay, after the running ones', async () => {
    const naming = { title: 'draft', nameOf: (id: string) => `<${id}>` };
    const { clock, progress, run, last } = following(80, naming);
    const many = Array.from({ length: 12 }, (_, index) => [`j${index}`, 500 * index] as const);
    await review(run, clock, {
      judges: { ...Object.fromEntries(many), two: 100, slow: 9000 },
      until: 6000,
    });
    expect(last()).toEqual([
      expect.stringMatching(/^. 6 s {2}draft {2}13\/14 checks {2}1 gap /),
      expect.stringMatching(/^ {2}. 6 s {2}<slow>$/),
      '  ✗ 0 s  <two>   1.2k tok  $0.01',
      '  ✓ 0 s  <j0>    1.2k tok  $0.01',
      '  ✓ 0 s  <j1>    1.2k tok  $0.01',
      '  ✓ 1 s  <j2>    1.2k tok  $0.01',
      '  ✓ 1 s  <j3>    1.2k tok  $0.01',
      '    12 passed, 1 failed',
    ]);
    progress.stop();
  });

  test('more reviewers than rows: the running ones, and the rest in one row', async () => {
    const { clock, progress, run, last } = following(40);
    const many = Array.from({ length: 30 }, (_, index) => [`j${index}`, 500 * index] as const);
    await review(run, clock, { judges: Object.fromEntries(many), until: 5000 });
    expect(last().length).toBeLessThanOrEqual(8);
    expect(last().at(-1)).toBe('    13 more running, 11 passed');
    for (const row of last()) expect(row.length).toBeLessThanOrEqual(39);
    progress.stop();
  });

  test('says nothing that the report repeats, and the reviews that it does not', async () => {
    const { clock, progress, run, lines } = following(80);
    await review(run, clock, { judges });
    run.send('address-start', { iteration: 1, gaps: 1 });
    await review(run, clock, { judges: { one: 1000 }, iteration: 2 });
    progress.stop();
    expect(lines).toEqual([
      'review 1: 2 passed, 1 failed, 1 gap, overall 0.67, 9 s',
      'review 1: addressing 1 gap',
    ]);
  });

  test('shows a review only once, although an answer replays it [R2-072]', async () => {
    const { clock, progress, run, lines } = following(undefined, { shown: 1 });
    await review(run, clock, { judges: { one: 10 } });
    await review(run, clock, { judges: { one: 10 }, iteration: 2 });
    progress.stop();
    await review(run, clock, { judges: { one: 10 }, iteration: 3 });
    expect(lines).toEqual([
      'review 2: 1 check begin',
      expect.stringMatching(/^review 2: 1 passed/),
    ]);
  });
});

describe('the progress of a review in a log', () => {
  test('a line at begin and end of a review, and what runs every ten seconds', async () => {
    const { clock, progress, run, lines } = following(undefined);
    await review(run, clock, { judges: { one: 2000, three: 25_000 } });
    progress.stop();
    await clock.advanceAsync(60_000);
    expect(lines).toEqual([
      'review 1: 2 checks begin',
      '10 s review 1, 1/2 checks, 1.2k tok, $0.01, running three (10 s)',
      '20 s review 1, 1/2 checks, 1.2k tok, $0.01, running three (20 s)',
      'review 1: 2 passed, 0 gaps, overall 0.67, 25 s',
    ]);
  });

  test('a terminal that cannot move its cursor gets a line every two seconds', async () => {
    const clock = fakeClock();
    const { io, lines } = streams(80, { live: undefined });
    const progress = new Progress(io, { clock });
    progress.waitFor('the reviewer reads');
    await clock.advanceAsync(4500);
    progress.stop();
    expect(lines).toEqual(['2 s the reviewer reads', '4 s the reviewer reads']);
  });

  test('an agent gets nothing', async () => {
    const { clock, progress, run, lines, frames } = following(undefined, {}, { reader: 'agent' });
    await review(run, clock, { judges: { one: 30_000 } });
    progress.stop();
    expect([lines, frames]).toEqual([[], []]);
  });
});

test.each([
  ['a terminal', 80, ['2 s  the reviewer reads']],
  ['a log', undefined, ['10 s the reviewer reads']],
])('%s shows what a command waits for [R2-082]', async (_, columns, expected) => {
  const clock = fakeClock();
  const { io, lines, last } = streams(columns);
  const progress = new Progress(io, { clock, lines: false });
  progress.waitFor('the reviewer reads');
  await clock.advanceAsync(columns === undefined ? 10_000 : 2000);
  const shown = columns === undefined ? lines : last().map((row) => row.slice(2));
  progress.stop();
  expect(shown).toEqual(expected);
});

test('progress is shown by events too, because timers do not fire while checks compute [R2-083]', async () => {
  const { io, frames } = streams(80);
  const clock = fakeClock();
  const progress = new Progress(io, { clock: { now: clock.now, after: () => () => {} } });
  const run = source();
  progress.follow(run);
  await review(run, clock, { judges });
  progress.stop();
  const heads = frames.map(([head = '']) => head);
  for (const done of [1, 2, 3]) expect(heads.some((head) => head.includes(`${done}/3`))).toBe(true);
});

/** Measures judges that answer after so many milliseconds, and stores their times. */
async function measured(folder: string, ms: Record<string, number>, more: object = {}) {
  const clock = fakeClock();
  const times = new JudgeTimes(folderFiles(folder), 'review', { clock });
  const { on, send } = source();
  times.follow({ on });
  for (const [reviewer, took] of Object.entries(ms)) {
    send('reviewer-start', { reviewer });
    await clock.advanceAsync(took);
    send('reviewer-end', { reviewer, assessments: [passed], reused: false, ...more });
  }
  await times.save();
}

async function usual(folder: string, judge: string, command = 'review') {
  return (await new JudgeTimes(folderFiles(folder), command).expected()).get(judge);
}

describe('the times of judges', () => {
  it('are the median of the latest five answers, in any later process', async () => {
    const folder = newFolder();
    for (const ms of [90_000, 2000, 3000, 4000, 5000, 6000]) await measured(folder, { clear: ms });
    expect(await usual(folder, 'clear')).toBe(4000);
    expect(await usual(folder, 'other')).toBeUndefined();
    expect(await usual(folder, 'clear', 'gate')).toBeUndefined();
  });

  it('leave out what is cached, replayed, broken or quick', async () => {
    const folder = newFolder();
    await measured(folder, { cached: 2000 }, { reused: true });
    await measured(folder, { replayed: 2000 }, { replayed: true });
    await measured(folder, { broken: 2000 }, { assessments: [passed, { verdict: 'errored' }] });
    await measured(folder, { quick: 20 });
    for (const judge of ['cached', 'replayed', 'broken', 'quick'])
      expect(await usual(folder, judge)).toBeUndefined();
    await measured(folder, { slow: 2000 });
    await measured(folder, { slow: 20 });
    await measured(folder, { slow: 20 });
    expect(await usual(folder, 'slow')).toBe(20);
  });

  it('forget the judges that were not used for long', async () => {
    const folder = newFolder();
    const all = Array.from({ length: 501 }, (_, index) => [`judge-${index}`, 1000] as const);
    await measured(folder, Object.fromEntries(all));
    expect(await usual(folder, 'judge-0')).toBeUndefined();
    expect(await usual(folder, 'judge-1')).toBe(1000);
  });

  it('are only a hint: a broken file or a store that cannot be written changes nothing', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'times.json'), '{"times":');
    expect(await usual(folder, 'clear')).toBeUndefined();
    await measured(folder, { clear: 2000 });
    expect(await usual(folder, 'clear')).toBe(2000);
    const linked = join(newFolder(), 'store');
    symlinkSync('/nowhere/at/all', linked);
    await measured(linked, { clear: 2000 });
    expect(readFileSync(join(folder, 'times.json'), 'utf8')).toBe(
      '{"schemaVersion":1,"times":{"review/clear":[2000]}}\n',
    );
  });
});
