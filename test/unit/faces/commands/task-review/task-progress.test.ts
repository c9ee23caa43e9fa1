import stripAnsi from 'strip-ansi';
import { describe, expect, it } from 'vitest';
import { TaskProgress } from '@/faces/commands/task-review/task-progress.js';
import type { Draw } from '@/node/terminal/screen.js';
import { fakeClock } from '@/testing/index.js';

type Event = { readonly reviewer: string; readonly reused: boolean; readonly usage: object };

/** A review whose events the test sends. */
function reviewing() {
  const listeners = new Map<string, (event: Event) => void>();
  return {
    review: {
      on: (name: string, listener: (event: Event) => void) => void listeners.set(name, listener),
    } as never,
    send: (name: string, more: Partial<Event> = {}) =>
      listeners.get(name)?.({ reviewer: '', reused: false, usage: {}, ...more }),
  };
}

const three = [
  { id: 'TASK-001', dependsOn: [] },
  { id: 'TASK-002', dependsOn: ['TASK-001'] },
  { id: 'TASK-003', dependsOn: [] },
];
const list = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `T-${index + 1}`, dependsOn: [] }));

/** A row without colours, whose spinner stands still. */
const plain = (row: string): string => stripAnsi(row).replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u, '~');

/** The progress of tasks on a terminal with so many columns and rows, or without one. */
function shown(
  columns: number | undefined,
  {
    tasks = three,
    rows: height = 12,
    ...more
  }: { tasks?: typeof three; rows?: number; tui?: boolean; quiet?: boolean } = {},
) {
  const clock = fakeClock();
  let err = '';
  let rows: string[] = [];
  const show = (draw: Draw): void => {
    rows = draw({ columns: (columns ?? 80) - 1, rows: height }).map(plain);
  };
  const io = {
    errColumns: columns,
    err: (text: string) => {
      err += text;
    },
    ...(columns !== undefined && { live: { show, hide: () => (rows = []) } }),
  };
  const options = { tasks, tui: false, quiet: false, clock, ...more };
  const progress = new TaskProgress(io, options);
  const since = (): string => {
    const text = err;
    err = '';
    return text;
  };
  return { progress, clock, since, rows: () => rows };
}

describe('the progress of tasks', () => {
  it('a terminal shows each task: running with phase and time, waiting and for what [R2-081, R2-086]', async () => {
    const { progress, clock, rows, since } = shown(100);
    const { review, send } = reviewing();
    progress.expect(Promise.resolve(new Map([['review', 40_000]])));
    progress.begin('TASK-001', review);
    await clock.advanceAsync(1000);
    expect(rows()).toEqual([
      '~ 1 s  0/3 tasks',
      '  ~ 1 s  TASK-001  working',
      '  ·      TASK-002  waits for TASK-001',
      '  ·      TASK-003  pending',
    ]);
    send('reviewer-start', { reviewer: 'checks' });
    await clock.advanceAsync(80_000);
    expect(rows()[1]).toBe('  ~ 1 min 21 s  TASK-001  testing');
    send('reviewer-start', { reviewer: 'review' });
    send('reviewer-end', { reviewer: 'review', usage: { totalTokens: 3000, costUsd: 0.02 } });
    await clock.advanceAsync(125);
    expect(rows().slice(0, 2)).toEqual([
      '~ 1 min 21 s  0/3 tasks  3.0k tok  $0.02',
      '  ~ 1 min 21 s  TASK-001  reviewing, usually 40 s  3.0k tok  $0.02',
    ]);
    send('address-start');
    expect(rows()[1]).toContain('working');
    progress.end('TASK-001', 'TASK-001: success', true);
    // the line about its end stands above the block
    expect(rows().slice(1)).toEqual(
      ['  · TASK-002  pending', '  · TASK-003  pending'].map((row) => row.replace('· ', '·   ')),
    );
    expect(since()).toBe('');
    progress.stop();
    expect(rows()).toEqual([]);
  });

  it('without a terminal a line at the start, and one every ten seconds [R2-081]', async () => {
    const { progress, clock, since } = shown(undefined);
    progress.begin('TASK-001', reviewing().review);
    expect(since()).toBe('TASK-001: running\n');
    await clock.advanceAsync(21_000);
    expect(since()).toBe(
      '10 s 0/3 tasks, TASK-001 working (10 s)\n20 s 0/3 tasks, TASK-001 working (20 s)\n',
    );
    progress.end('TASK-001', 'TASK-001: success', true);
    await clock.advanceAsync(61_000);
    expect(since()).toBe('');
    progress.stop();
  });

  it('--tui shows all tasks, pending, running and ended [R2-081, R2-129, P4-48]', async () => {
    const { progress, clock, rows } = shown(40, { tui: true });
    progress.begin('TASK-001', reviewing().review);
    await clock.advanceAsync(2000);
    progress.end('TASK-001', `TASK-001: success ${'x'.repeat(50)}`, true);
    progress.begin('TASK-003', reviewing().review);
    expect(rows()).toEqual([
      '~ 2 s  1/3 tasks',
      expect.stringMatching(/^ {2}✓ 2 s {2}TASK-001 {2}success x+…$/),
      '  ·      TASK-002  pending',
      '  ~ 0 s  TASK-003  working',
    ]);
    for (const row of rows()) expect([...row].length).toBeLessThanOrEqual(39);
    progress.stop();
  });

  it('a person who is asked has the screen, and the rest is shown afterwards', async () => {
    const { progress, clock, rows } = shown(80);
    progress.begin('TASK-001', reviewing().review);
    progress.ask('TASK-001');
    await clock.advanceAsync(5000);
    expect(rows()).toEqual([]);
    progress.end('TASK-001', 'TASK-001: success', true);
    expect(rows()).toEqual([]);
    progress.begin('TASK-002', reviewing().review);
    expect(rows()[1]).toContain('TASK-002');
    progress.stop();
  });

  it('--quiet shows nothing', async () => {
    for (const tui of [true, false]) {
      const { progress, clock, since, rows } = shown(80, { quiet: true, tui });
      progress.begin('TASK-001', reviewing().review);
      await clock.advanceAsync(60_000);
      progress.end('TASK-001', 'TASK-001: success', true);
      expect([since(), rows()]).toEqual(['', []]);
    }
  });
});

describe('a screen with fewer rows than tasks', () => {
  it('shows those that run, then those that failed, then those that wait, and counts the rest', async () => {
    const { progress, clock, rows } = shown(100, { tasks: list(9), rows: 6, tui: true });
    const one = reviewing();
    progress.begin('T-1', one.review);
    progress.end('T-1', 'T-1: success', true);
    progress.begin('T-2', one.review);
    progress.end('T-2', 'T-2: failed', false);
    progress.begin('T-5', one.review);
    await clock.advanceAsync(1000);
    const short = (row: string) => row.replace(/ \d+ s/g, '').replace(/\s+/g, ' ');
    expect(rows().map((row) => short(row).trim())).toEqual([
      ...['~ 2/9 tasks', '~ T-5 working', '✗ T-2 failed', '· T-3 pending', '· T-4 pending'],
      '6 waiting',
    ]);
    progress.stop();
  });

  it('counts nothing where nothing waits', async () => {
    const { progress, clock, rows } = shown(100, { tasks: list(6), rows: 4, tui: true });
    for (const { id } of list(6)) {
      progress.begin(id, reviewing().review);
      progress.end(id, `${id}: success`, true);
    }
    await clock.advanceAsync(1000);
    expect(rows().join('\n')).not.toContain('waiting');
    progress.stop();
  });
});

describe('the facts about a task that runs', () => {
  it('are its phase, how long that usually takes if it is long, and what it used', async () => {
    const { progress, clock, rows } = shown(100, { tasks: list(1) });
    const { review, send } = reviewing();
    progress.expect(
      Promise.resolve(new Map(Object.entries({ checks: 2000, review: 1999, work: 3000 }))),
    );
    await Promise.resolve();
    progress.begin('T-1', review);
    await clock.advanceAsync(500);
    expect(rows()[1]).toContain('working, usually 3 s');
    send('reviewer-start', { reviewer: 'checks' });
    expect(rows()[1]).toContain('testing, usually 2 s');
    send('reviewer-start', { reviewer: 'review' });
    expect(rows()[1]).toMatch(/reviewing$/);
    send('reviewer-end', { usage: { totalTokens: 1000 } });
    send('reviewer-end', { reused: true, usage: { totalTokens: 500 } });
    send('review-end');
    expect(rows()[1]).toMatch(/finishing {2}1\.0k tok$/);
    expect(rows()[0]).toContain('0/1 task  1.0k tok');
    progress.stop();
  });

  it('are in the line of progress where there is no terminal', async () => {
    const { progress, clock, since } = shown(undefined, { tasks: list(2) });
    const { review, send } = reviewing();
    progress.start();
    progress.begin('T-1', review);
    send('reviewer-end', { usage: { totalTokens: 1000 } });
    send('reviewer-start', { reviewer: 'review' });
    await clock.advanceAsync(10_000);
    expect(since()).toBe('T-1: running\n10 s 0/2 tasks, 1.0k tok, T-1 reviewing (10 s)\n');
    progress.ask('T-9');
    progress.end('T-9', 'T-9: not run', false);
    progress.stop();
  });

  it('lack a time where a task ended before it began', async () => {
    const { progress, clock, rows } = shown(100, { tasks: list(2), tui: true });
    progress.begin('T-2', reviewing().review);
    progress.end('T-1', 'rejected by a person', false);
    await clock.advanceAsync(200);
    expect(rows()[1]?.replace(/\s+/g, ' ').trim()).toBe('✗ T-1 rejected by a person');
    expect(progress.isScreen).toBe(true);
    expect(shown(100).progress.isScreen).toBe(false);
    expect(shown(undefined, { tui: true }).progress.isScreen).toBe(false);
    progress.stop();
  });
});
