import { describe, expect, it } from 'vitest';
import { TaskProgress } from '../../../../src/task-review/command/task-progress.js';
import type { Draw } from '../../../../src/terminal/screen.js';
import { fakeClock } from '../../../../src/testing/index.js';

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
const list = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `T-${index + 1}`,
    dependsOn: [] as string[],
  }));
const plain = (row: string): string =>
  row
    .split('\u001b[')
    .map((part, index) => (index === 0 ? part : part.replace(/^[\d;]*m/, '')))
    .join('')
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u, '~')
    .trim();

/** The progress of tasks on a terminal with so many rows, or without one. */
function shown(
  tasks: ReturnType<typeof list>,
  { rows: height = 12, live = true, tui = false } = {},
) {
  const clock = fakeClock();
  let rows: string[] = [];
  let err = '';
  const show = (draw: Draw): void => {
    rows = draw({ columns: 99, rows: height }).map(plain);
  };
  const io = {
    errColumns: live ? 100 : undefined,
    err: (text: string) => {
      err += text;
    },
    ...(live && { live: { show, hide: () => {} } }),
  };
  const progress = new TaskProgress(io, { tasks, tui, quiet: false, clock });
  return { progress, clock, rows: () => rows, err: () => err };
}

describe('a screen with fewer rows than tasks', () => {
  it('shows those that run, then those that failed, then those that wait, and counts the rest', async () => {
    const { progress, clock, rows } = shown(list(9), { rows: 6, tui: true });
    const one = reviewing();
    progress.begin('T-1', one.review);
    progress.end('T-1', 'T-1: success', true);
    progress.begin('T-2', one.review);
    progress.end('T-2', 'T-2: failed', false);
    progress.begin('T-5', one.review);
    await clock.advanceAsync(1000);
    expect(rows().map((row) => row.replace(/ \d+ s/g, '').replace(/\s+/g, ' '))).toEqual([
      '~ 2/9 tasks',
      ...['~ T-5 working', '✗ T-2 failed', '· T-3 pending', '· T-4 pending'],
      '6 waiting',
    ]);
    progress.stop();
  });

  it('counts nothing where nothing waits', async () => {
    const { progress, clock, rows } = shown(list(6), { rows: 4, tui: true });
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
    const { progress, clock, rows } = shown(list(1));
    const { review, send } = reviewing();
    progress.expect(
      Promise.resolve(
        new Map([
          ['checks', 2000],
          ['review', 1999],
          ['work', 3000],
        ]),
      ),
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
    const { progress, clock, err } = shown(list(2), { live: false });
    const { review, send } = reviewing();
    progress.start();
    progress.begin('T-1', review);
    send('reviewer-end', { usage: { totalTokens: 1000 } });
    send('reviewer-start', { reviewer: 'review' });
    await clock.advanceAsync(10_000);
    expect(err()).toBe('T-1: running\n10 s 0/2 tasks, 1.0k tok, T-1 reviewing (10 s)\n');
    progress.ask('T-9');
    progress.end('T-9', 'T-9: not run', false);
    progress.stop();
  });

  it('lack a time where a task ended before it began', async () => {
    const { progress, clock, rows } = shown(list(2), { tui: true });
    progress.begin('T-2', reviewing().review);
    progress.end('T-1', 'rejected by a person', false);
    await clock.advanceAsync(200);
    expect(rows()[1]?.replace(/\s+/g, ' ')).toBe('✗ T-1 rejected by a person');
    expect(progress.isScreen).toBe(true);
    expect(shown(list(1)).progress.isScreen).toBe(false);
    expect(shown(list(1), { tui: true, live: false }).progress.isScreen).toBe(false);
    progress.stop();
  });
});
