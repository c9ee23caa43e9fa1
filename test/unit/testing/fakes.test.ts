import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  fakeClock,
  fakeContext,
  fakeRandom,
  fakeReviewerContext,
  manualLimiter,
  outputOf,
  settle,
} from '@/testing/index.js';

describe('fakeClock', () => {
  it('stands still until it is advanced', () => {
    const clock = fakeClock(1000);
    expect(clock.now()).toBe(1000);
    clock.advance(5);
    expect(clock.now()).toBe(1005);
  });

  it('fires due timers in order, each at its own time, those set meanwhile included', () => {
    const clock = fakeClock();
    const fired: string[] = [];
    const note = (name: string) => (): void => void fired.push(`${name} at ${clock.now()}`);
    clock.after(30, note('c'));
    clock.after(10, () => {
      note('a')();
      clock.after(10, note('b'));
    });
    clock.after(30, note('d'));
    clock.after(31, note('late'));
    clock.advance(30);
    expect(fired).toEqual(['a at 10', 'b at 20', 'c at 30', 'd at 30']);
    expect(clock.pending).toBe(1);
  });

  it('forgets a cancelled timer', () => {
    const clock = fakeClock();
    const cancel = clock.after(10, () => expect.unreachable());
    cancel();
    expect(clock.pending).toBe(0);
    clock.advance(100);
  });

  it('lets promises run between timers when it is asked to', async () => {
    const clock = fakeClock();
    const wait = (ms: number): Promise<void> =>
      new Promise((resolve) => void clock.after(ms, resolve));
    const done: number[] = [];
    const chain = async (): Promise<void> => {
      for (let turn = 1; turn <= 3; turn += 1) {
        await wait(10);
        done.push(clock.now());
      }
    };
    void chain();
    await clock.advanceAsync(25);
    expect(done).toEqual([10, 20]);
    expect(clock.now()).toBe(25);
    await clock.advanceAsync(5);
    expect(done).toEqual([10, 20, 30]);
  });
});

it('fakeRandom gives ids and nonces that can be foreseen, later ones sorting after earlier ones', () => {
  const random = fakeRandom();
  const ids = Array.from({ length: 12 }, () => random.id());
  expect(ids.slice(0, 2)).toEqual(['id-000001', 'id-000002']);
  expect([...ids].sort()).toEqual(ids);
  expect(random.nonce()).toBe('nonce-000001');
  expect(fakeRandom('a-').id()).toBe('a-id-000001');
});

describe('manualLimiter', () => {
  it('lets in one by one, the oldest loop first, and shows who waits', async () => {
    const slots = manualLimiter();
    const entered: string[] = [];
    const enter = (age: number, name: string): void =>
      slots.enter(age, async () => void entered.push(name));
    enter(5, 'young');
    enter(1, 'old');
    enter(3, 'middle');
    enter(1, 'old again');
    expect(slots.waiting).toEqual([1, 1, 3, 5]);
    expect(entered).toEqual([]);
    slots.open();
    expect(entered).toEqual(['old']);
    slots.open(2);
    expect(entered).toEqual(['old', 'old again', 'middle']);
    expect(slots.waiting).toEqual([5]);
  });

  it('keeps what was opened too early for later calls', () => {
    const slots = manualLimiter();
    slots.open(1);
    const entered: string[] = [];
    slots.enter(0, async () => void entered.push('first'));
    slots.enter(0, async () => void entered.push('second'));
    expect(entered).toEqual(['first']);
  });

  it('holds its number of slots, and tells who is out', async () => {
    const slots = manualLimiter({ concurrency: 1 });
    let finish = (): void => {};
    slots.enter(0, () => new Promise((resolve) => (finish = resolve)));
    slots.enter(1, async () => {});
    slots.open(2);
    expect([slots.running, slots.waiting, slots.concurrency]).toEqual([1, [1], 1]);
    finish();
    await settle();
    expect([slots.running, slots.waiting]).toEqual([0, []]);
  });

  it('gives ages and counts tokens', () => {
    const slots = manualLimiter();
    expect([slots.age(), slots.age()]).toEqual([0, 1]);
    slots.spend(3);
    slots.spend(4);
    expect(slots.spent).toBe(7);
  });
});

it('settle lets long chains of promises run', async () => {
  let turns = 0;
  void (async () => {
    for (; turns < 1000; turns += 1) await Promise.resolve();
  })();
  await settle();
  expect(turns).toBe(1000);
});

it('outputOf gives artifacts their types by extension', () => {
  const { artifacts } = outputOf({
    'a.html': '<p>',
    'B.HTM': '',
    'a.css': 'p {}',
    'docs/plan.md': '#',
    'a.ts': '1',
    Makefile: 'all:',
    'a.constructor': '',
  });
  expect(artifacts.map(({ type, path }) => `${type}:${path}`)).toEqual([
    'mockup:a.html',
    'mockup:B.HTM',
    'stylesheet:a.css',
    'document:docs/plan.md',
    'code:a.ts',
    'code:Makefile',
    'code:a.constructor',
  ]);
  expect(artifacts[0]?.content).toBe('<p>');
});

it('fakeContext knows nothing but what it is told', () => {
  expect(fakeContext()).toEqual({ previous: [], previousOutputs: [], previousReviews: [] });
  expect(fakeContext({ acceptanceCriteria: ['fast'] })).toMatchObject({
    acceptanceCriteria: ['fast'],
    previousOutputs: [],
  });
});

describe('fakeReviewerContext', () => {
  it('makes steps and checks, and refuses what their schema refuses', async () => {
    const context = fakeReviewerContext();
    expect(
      await context.step(
        'one',
        { input: null, schema: z.number() },
        async ({ attempt }) => attempt,
      ),
    ).toBe(1);
    expect(await context.check(z.boolean(), ({ signal }) => signal.aborted)).toBe(false);
    await expect(context.check(z.number(), () => Number.NaN)).rejects.toThrow();
    context.reportUsage({});
    context.budget.reserve({}).settle({});
  });

  it('has nobody to ask', async () => {
    await expect(
      fakeReviewerContext().ask('release', { question: '?', allowed: [], gaps: [] }),
    ).rejects.toThrow('no person can answer');
  });
});
