import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limiter } from '@/ports/limiter.js';
import { settle } from '@/testing/index.js';

fc.configureGlobal({ seed: 23, numRuns: 100 });

interface Call {
  readonly age: number;
  readonly turns: number;
}

const calls = fc.array(
  fc.record({ age: fc.integer({ min: 0, max: 5 }), turns: fc.integer({ min: 0, max: 3 }) }),
  { maxLength: 40 },
);

async function turnsOf({ turns }: Call): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await settle();
}

describe('limiter', () => {
  it('never lets more calls out than it has slots, and lets every call in once', async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 5 }), async (given, concurrency) => {
        const slots = limiter({ concurrency });
        let out = 0;
        let most = 0;
        let done = 0;
        await Promise.all(
          given.map(
            (call) =>
              new Promise<void>((resolve) => {
                slots.enter(call.age, async () => {
                  most = Math.max(most, ++out);
                  await turnsOf(call);
                  out -= 1;
                  done += 1;
                  resolve();
                });
              }),
          ),
        );
        expect(most).toBeLessThanOrEqual(concurrency);
        expect(most).toBe(Math.min(concurrency, given.length));
        expect(done).toBe(given.length);
      }),
    );
  });

  it('lets in what waits by the age of its loop, and within a loop in order', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (given) => {
        const slots = limiter({ concurrency: 1 });
        let open = (): void => {};
        slots.enter(
          0,
          () =>
            new Promise((resolve) => {
              open = resolve;
            }),
        );
        await settle();
        const order: number[] = [];
        for (const [index, { age }] of given.entries())
          slots.enter(age, async () => void order.push(index));
        open();
        await settle();
        const expected = given
          .map((call, index) => ({ ...call, index }))
          .sort((a, b) => a.age - b.age || a.index - b.index);
        expect(order).toEqual(expected.map(({ index }) => index));
      }),
    );
  });
});
