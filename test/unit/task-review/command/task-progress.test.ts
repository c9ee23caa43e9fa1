import { describe, expect, it } from 'vitest';
import { TaskProgress } from '../../../../src/task-review/command/task-progress.js';
import type { Draw } from '../../../../src/terminal/screen.js';
import { fakeClock } from '../../../../src/testing/index.js';

type Listener = (event: {
  readonly reviewer: string;
  readonly reused: boolean;
  readonly usage: object;
}) => void;

/** A review whose events the test sends. */
function reviewing() {
  const listeners = new Map<string, Listener>();
  return {
    review: { on: (name: string, listener: Listener) => void listeners.set(name, listener) },
    send: (name: string, reviewer = '', usage = {}) =>
      listeners.get(name)?.({ reviewer, reused: false, usage }),
  };
}

const tasks = [
  { id: 'TASK-001', dependsOn: [] },
  { id: 'TASK-002', dependsOn: ['TASK-001'] },
  { id: 'TASK-003', dependsOn: [] },
];

function shown(columns: number | undefined, more: { tui?: boolean; quiet?: boolean } = {}) {
  const clock = fakeClock();
  let err = '';
  let rows: string[] = [];
  const show = (draw: Draw): void => {
    rows = draw({ columns: (columns ?? 80) - 1, rows: 12 }).map((row) =>
      row
        .replace(/^(.*?)[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u, '$1~')
        .split('\u001b[')
        .map((part, index) => (index === 0 ? part : part.replace(/^[\d;]*m/, '')))
        .join(''),
    );
  };
  const io = {
    errColumns: columns,
    err: (text: string) => {
      err += text;
    },
    ...(columns !== undefined && { live: { show, hide: () => (rows = []) } }),
  };
  const progress = new TaskProgress(io, { tasks, tui: false, quiet: false, clock, ...more });
  const since = (): string => {
    const text = err;
    err = '';
    return text;
  };
  return {
    progress,
    clock,
    since,
    rows: () => rows.map((row) => row.replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u, '~')),
  };
}

describe('the progress of tasks', () => {
  it('a terminal shows each task: running with phase and time, waiting and for what [R2-081, R2-086]', async () => {
    const { progress, clock, rows, since } = shown(100);
    const { review, send } = reviewing();
    progress.expect(Promise.resolve(new Map([['review', 40_000]])));
    progress.begin('TASK-001', review as never);
    await clock.advanceAsync(1000);
    expect(rows()).toEqual([
      '~ 1 s  0/3 tasks',
      '  ~ 1 s  TASK-001  working',
      '  ·      TASK-002  waits for TASK-001',
      '  ·      TASK-003  pending',
    ]);
    send('reviewer-start', 'checks');
    await clock.advanceAsync(80_000);
    expect(rows()[1]).toBe('  ~ 1 min 21 s  TASK-001  testing');
    send('reviewer-start', 'review');
    send('reviewer-end', 'review', { totalTokens: 3000, costUsd: 0.02 });
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
    progress.begin('TASK-001', reviewing().review as never);
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
    progress.begin('TASK-001', reviewing().review as never);
    await clock.advanceAsync(2000);
    progress.end('TASK-001', `TASK-001: success ${'x'.repeat(50)}`, true);
    progress.begin('TASK-003', reviewing().review as never);
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
    progress.begin('TASK-001', reviewing().review as never);
    progress.ask('TASK-001');
    await clock.advanceAsync(5000);
    expect(rows()).toEqual([]);
    progress.end('TASK-001', 'TASK-001: success', true);
    expect(rows()).toEqual([]);
    progress.begin('TASK-002', reviewing().review as never);
    expect(rows()[1]).toContain('TASK-002');
    progress.stop();
  });

  it('--quiet shows nothing', async () => {
    for (const tui of [true, false]) {
      const { progress, clock, since, rows } = shown(80, { quiet: true, tui });
      progress.begin('TASK-001', reviewing().review as never);
      await clock.advanceAsync(60_000);
      progress.end('TASK-001', 'TASK-001: success', true);
      expect([since(), rows()]).toEqual(['', []]);
    }
  });
});
