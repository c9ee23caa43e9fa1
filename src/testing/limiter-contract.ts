import type { Limiter } from '../ports/limiter.js';
import { type ContractCase, ensure, ensureEqual } from './contract-case.js';
import { settle } from './fake-clock.js';

/**
 * Returns the test cases that every {@link Limiter} must pass.
 *
 * @param makeLimiter - Creates a limiter with this number of slots for each case.
 * @example
 * ```ts
 * const cases = limiterContract((concurrency) => limiter({ concurrency }));
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function limiterContract(
  makeLimiter: (concurrency: number) => Limiter,
): readonly ContractCase[] {
  return cases.map(({ name, run }) => ({ name, run: () => run(makeLimiter) }));
}

interface LimiterCase {
  readonly name: string;
  readonly run: (makeLimiter: (concurrency: number) => Limiter) => Promise<void>;
}

const cases: readonly LimiterCase[] = [
  {
    name: 'reports its concurrency and calls the work',
    run: async (makeLimiter) => {
      const slots = makeLimiter(3);
      ensure(slots.concurrency === 3, `expected a concurrency of 3, got ${slots.concurrency}`);
      let called = 0;
      await entered(slots, slots.age(), async () => {
        called += 1;
      });
      ensure(called === 1, `the work must be called once, it was called ${called} times`);
    },
  },
  {
    name: 'a loop that starts later is younger',
    run: async (makeLimiter) => {
      const slots = makeLimiter(1);
      const first = slots.age();
      ensure(first < slots.age(), 'ages must grow');
    },
  },
  {
    name: 'never runs more calls than it has slots, and uses all of them',
    run: async (makeLimiter) => {
      const slots = makeLimiter(3);
      let out = 0;
      let most = 0;
      const work = async (): Promise<void> => {
        most = Math.max(most, ++out);
        await settle();
        out -= 1;
      };
      await Promise.all(Array.from({ length: 20 }, () => entered(slots, slots.age(), work)));
      ensure(most === 3, `expected 3 calls at a time, got ${most}`);
    },
  },
  {
    name: 'starts the oldest loop first, and within a loop the first call',
    run: async (makeLimiter) => {
      const slots = makeLimiter(1);
      const order: string[] = [];
      const gate = holdSlot(slots);
      const waiting = [
        [5, 'young'],
        [1, 'old, first'],
        [3, 'middle'],
        [1, 'old, second'],
      ] as const;
      const calls = waiting.map(([age, name]) =>
        entered(slots, age, async () => void order.push(name)),
      );
      await settle();
      gate.release();
      await Promise.all([gate.done, ...calls]);
      ensureEqual(order, ['old, first', 'old, second', 'middle', 'young'], 'order');
    },
  },
];

function entered(slots: Limiter, age: number, work: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => slots.enter(age, () => work().then(resolve)));
}

function holdSlot(slots: Limiter): { readonly release: () => void; readonly done: Promise<void> } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release: () => release(), done: entered(slots, 0, () => gate) };
}
