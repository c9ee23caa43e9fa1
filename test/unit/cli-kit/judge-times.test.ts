import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JudgeTimes } from '../../../src/cli-kit/show/judge-times.js';
import { fakeClock } from '../../../src/testing/index.js';
import { newFolder } from '../../resume/children.js';

type Listener = (payload: object) => void;

/** A pipeline whose events the test sends. */
function source() {
  const listeners = new Map<string, Listener>();
  return {
    on: (name: string, listener: unknown) => void listeners.set(name, listener as Listener),
    send: (name: string, payload: object) => listeners.get(name)?.(payload),
  };
}

const passed = { verdict: 'pass' };

/** Measures judges that answer after so many milliseconds, and stores their times. */
async function measured(folder: string, ms: Record<string, number>, more: object = {}) {
  const clock = fakeClock();
  const times = new JudgeTimes(folder, 'review', { clock });
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
  return (await new JudgeTimes(folder, command).expected()).get(judge);
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
