import { describe, expect, it } from 'vitest';
import { PastUsage } from '../../../src/engine/past-usage.js';
import type { JournalRecord } from '../../../src/ports/store.js';

const used = (totalTokens: number) => ({ totalTokens });
const step = (name: string, tokens: number): JournalRecord => ({
  type: 'step',
  ...{ name, input: '', value: null, usage: used(tokens), at: 0 },
});
const attempt = (name: string, code: string, tokens?: number): JournalRecord => ({
  type: 'attempt',
  ...{ name, input: '', code, attempt: 1, message: '', at: 0 },
  ...(tokens !== undefined && { usage: used(tokens) }),
});

describe('what earlier processes of a run used', () => {
  it.each([
    ['iter:1/review:judge/call', 'review'],
    ['iter:12/review:judge', 'review'],
    ['iter:123/address/step', 'address'],
    ['iter:12/produce', 'produce'],
    ['produce/model', 'produce'],
    ['produce/review', 'produce'],
    ['lessons', 'produce'],
  ])('for %s belongs to %s', (name, phase) => {
    expect(new PastUsage([step(name, 5)]).takeRest()).toEqual([[phase, used(5)]]);
  });

  it('for a step is that of its result and of its failed attempts, once', () => {
    const past = new PastUsage([attempt('produce/a', 'timeout', 1), step('produce/a', 10)]);
    expect(past.left).toEqual(used(11));
    expect(past.others()).toEqual([]);
    expect(past.take('produce/a', false)).toEqual(used(11));
    expect(past.left).toEqual(used(0));
    expect(past.take('produce/a', false)).toBeUndefined();
    expect(past.takeRest()).toEqual([]);
  });

  it('inside a step is taken with it only where the step is not done again', () => {
    const records = [step('produce', 1), step('produce/a', 10), step('produced', 100)];
    const again = new PastUsage(records);
    expect(again.take('produce', false)).toEqual(used(1));
    expect(again.takeRest().map(([, usage]) => usage)).toEqual([used(10), used(100)]);
    const whole = new PastUsage(records);
    expect(whole.take('produce', true)).toEqual(used(11));
    expect(whole.takeRest().map(([, usage]) => usage)).toEqual([used(100)]);
  });

  it('until a process was released belongs to the activity, not to a step', () => {
    const past = new PastUsage([
      attempt('iter:2/review:judge', 'released', 7),
      attempt('produce', 'released'),
      { type: 'end', status: 'cancelled', code: 'released', usage: { produce: used(2) }, at: 0 },
    ]);
    expect(past.others()).toEqual([
      ['review', used(7)],
      ['produce', used(2)],
    ]);
    expect(past.left).toEqual({});
    expect(past.take('iter:2/review:judge', true)).toBeUndefined();
    expect(past.takeOther('iter:2/review:judge')).toEqual(used(7));
    expect(past.takeOther('iter:2/review:judge')).toBeUndefined();
  });
});
