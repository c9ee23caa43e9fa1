import { describe, expect, it } from 'vitest';
import { TaskProgress } from '../../../../src/task-review/command/task-progress.js';
import { fakeClock } from '../../../../src/testing/index.js';

type Listener = (event: { readonly reviewer: string }) => void;

/** A review whose events the test sends. */
function reviewing() {
  const listeners = new Map<string, Listener>();
  return {
    review: { on: (name: string, listener: Listener) => void listeners.set(name, listener) },
    send: (name: string, reviewer = '') => listeners.get(name)?.({ reviewer }),
  };
}

function shown(errColumns: number | undefined, more: { tui?: boolean; quiet?: boolean } = {}) {
  const clock = fakeClock();
  let err = '';
  const io = {
    errColumns,
    err: (text: string) => {
      err += text;
    },
  };
  const progress = new TaskProgress(io, {
    ids: ['TASK-001', 'TASK-002'],
    tui: false,
    quiet: false,
    clock,
    ...more,
  });
  const since = (): string => {
    const text = err;
    err = '';
    return text;
  };
  return { progress, clock, since };
}

describe('the progress of tasks', () => {
  it('a terminal shows each running task with its phase and its time [R2-081]', async () => {
    const { progress, clock, since } = shown(100);
    const { review, send } = reviewing();
    progress.begin('TASK-001', review as never);
    expect(since()).toBe('\r\u001b[K0 of 2 tasks ended, TASK-001 working, 0 s');
    await clock.advanceAsync(1000);
    expect(since()).toBe('\r\u001b[K0 of 2 tasks ended, TASK-001 working, 1 s');
    send('reviewer-start', 'checks');
    await clock.advanceAsync(1000);
    expect(since()).toBe('\r\u001b[K0 of 2 tasks ended, TASK-001 testing, 2 s');
    send('reviewer-start', 'review');
    progress.begin('TASK-002', reviewing().review as never);
    expect(since()).toBe(
      '\r\u001b[K0 of 2 tasks ended, TASK-001 reviewing, 2 s, TASK-002 working, 0 s',
    );
    send('address-start');
    await clock.advanceAsync(3000);
    expect(since().split('\r\u001b[K').at(-1)).toBe(
      '0 of 2 tasks ended, TASK-001 working, 5 s, TASK-002 working, 3 s',
    );
    progress.end('TASK-001', 'TASK-001: success');
    expect(since()).toBe('\r\u001b[K');
    await clock.advanceAsync(1000);
    expect(since()).toContain('1 of 2 tasks ended, TASK-002 working, 4 s');
    progress.end('TASK-002', 'TASK-002: success');
    since();
    await clock.advanceAsync(60_000);
    expect(since()).toBe('');
  });

  it('without a terminal a line at the start, and one every 30 seconds [R2-081]', async () => {
    const { progress, clock, since } = shown(undefined);
    progress.begin('TASK-001', reviewing().review as never);
    expect(since()).toBe('TASK-001: running\n');
    await clock.advanceAsync(61_000);
    expect(since()).toBe('TASK-001: working, 30 s\nTASK-001: working, 60 s\n');
    progress.end('TASK-001', 'TASK-001: success');
    await clock.advanceAsync(61_000);
    expect(since()).toBe('');
  });

  it('--tui shows all tasks, pending, running and ended [R2-081, R2-129, P4-48]', async () => {
    const { progress, clock, since } = shown(40, { tui: true });
    progress.begin('TASK-001', reviewing().review as never);
    expect(since()).toBe('\u001b[2J\u001b[HTASK-001: working, 0 s\nTASK-002: pending\n');
    await clock.advanceAsync(2000);
    expect(since().split('\u001b[2J\u001b[H').at(-1)).toBe(
      'TASK-001: working, 2 s\nTASK-002: pending\n',
    );
    progress.end('TASK-001', `TASK-001: success ${'x'.repeat(50)}`);
    const [row = ''] = since().replace('\u001b[2J\u001b[H', '').split('\n');
    expect([...row]).toHaveLength(39);
    progress.stop();
    expect(since()).toBe('\u001b[2J\u001b[H');
  });

  it.each([0, 1, 10, 80])('no line is wider than %i columns [R2-081]', async (columns) => {
    const { progress, clock, since } = shown(columns);
    progress.begin('TASK-001', reviewing().review as never);
    await clock.advanceAsync(3000);
    for (const line of since().split('\r\u001b[K'))
      expect([...line].length).toBeLessThanOrEqual(Math.max(0, columns - 1));
    progress.stop();
  });

  it('--quiet shows nothing', async () => {
    for (const tui of [true, false]) {
      const { progress, clock, since } = shown(80, { quiet: true, tui });
      progress.begin('TASK-001', reviewing().review as never);
      await clock.advanceAsync(60_000);
      progress.end('TASK-001', 'TASK-001: success');
      expect(since()).toBe('');
    }
  });
});
