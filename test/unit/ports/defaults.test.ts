import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { elapsedOn, systemClock } from '@/ports/clock.js';
import { silentLogger } from '@/ports/logger.js';
import { systemRandom } from '@/ports/random.js';
import { JournalRecordSchema } from '@/ports/store.js';

describe('systemClock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }));
  afterEach(() => void vi.useRealTimers());

  it('tells the time in milliseconds since 1970', () => {
    vi.useRealTimers();
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
  });

  it('calls back once, after the time', () => {
    const callback = vi.fn();
    systemClock.after(50, callback);
    vi.advanceTimersByTime(49);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('forgets what was cancelled', () => {
    const cancel = systemClock.after(50, () => expect.unreachable());
    cancel();
    cancel();
    vi.advanceTimersByTime(1000);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40])(
    'does not call back at once where timers cannot count to %s',
    (ms) => {
      const callback = vi.fn();
      const cancel = systemClock.after(ms, callback);
      vi.advanceTimersByTime(24 * 3_600_000);
      expect(callback).not.toHaveBeenCalled();
      cancel();
    },
  );

  it('calls back on time where timers cannot count that far', () => {
    const callback = vi.fn();
    systemClock.after(40 * 24 * 3_600_000, callback);
    vi.advanceTimersByTime(40 * 24 * 3_600_000 - 1);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('measures by what only goes on, also when the time of the machine is set', () => {
    const before = elapsedOn(systemClock);
    vi.setSystemTime(systemClock.now() - 3_600_000);
    expect(elapsedOn(systemClock)).toBeGreaterThanOrEqual(before);
    expect(elapsedOn({ now: () => 7, after: () => () => {} })).toBe(7);
  });
});

describe('systemRandom', () => {
  it('gives ids that differ and sort by when they were made', () => {
    const ids = Array.from({ length: 200 }, () => systemRandom.id());
    expect(new Set(ids).size).toBe(200);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[\w.:@-]{1,200}$/);
  });

  it('gives nonces that fences can carry', () => {
    const nonces = Array.from({ length: 200 }, () => systemRandom.nonce());
    expect(new Set(nonces).size).toBe(200);
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  });
});

it('silentLogger says nothing', () => {
  const said = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name),
  );
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    silentLogger[level]({ a: 1 }, 'message');
  for (const spy of said) expect(spy).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

describe('JournalRecordSchema', () => {
  const records = [
    {
      type: 'run',
      schema: 1,
      runId: 'r',
      pipeline: 'p',
      taskDigest: 'd',
      task: { a: 1 },
      nonce: 'n',
      at: 1,
    },
    { type: 'step', name: 's', input: 'i', value: null, usage: { inputTokens: 1 }, at: 1 },
    { type: 'attempt', name: 's', input: 'i', code: 'timeout', message: 'late', at: 1 },
    {
      type: 'request',
      request: { id: 'q', runId: 'r', digest: 'd', question: '?', gaps: [], allowed: ['approve'] },
      at: 1,
    },
    {
      type: 'answer',
      id: 'q',
      digest: 'd',
      answer: { kind: 'override', by: 'ada', reason: 'known' },
      at: 1,
    },
    { type: 'end', status: 'approved', code: 'approved', at: 1 },
  ];

  it.each(records)('takes a record of type $type through JSON unchanged', (record) => {
    expect(JournalRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it.each([
    ['a newer schema', { ...records[0], schema: 2 }],
    ['an unknown type', { type: 'blob', at: 1 }],
    ['a step without its input', { type: 'step', name: 's', value: 1, at: 1 }],
    [
      'an override without a reason',
      { type: 'answer', id: 'q', digest: 'd', answer: { kind: 'override', by: 'ada' }, at: 1 },
    ],
    ['no record', null],
  ])('refuses %s', (_, record) => {
    expect(JournalRecordSchema.safeParse(record).success).toBe(false);
  });
});
