import { checkKeys } from '../core/options.js';
import type { Limiter } from '../ports/limiter.js';

/** A limiter whose slots are opened by a test. */
export interface ManualLimiter extends Limiter {
  /** The ages of the waiting loops, oldest first: the order of their slots. */
  readonly waiting: readonly number[];
  /** The number of running calls. */
  readonly running: number;
  /** The number of tokens that were reported. */
  readonly spent: number;
  /** Opens slots. Waiting calls take them first; the rest stay open for later calls. @default 1 */
  readonly open: (calls?: number) => void;
}

interface Waiting {
  readonly age: number;
  readonly work: () => Promise<void>;
}

/**
 * Creates a limiter that starts a call only after the test opens a slot. A test can so choose any
 * order of events.
 *
 * @example
 * ```ts
 * const slots = manualLimiter();
 * const run = pipeline({ limiter: slots }).run(task);
 * await settle();
 * slots.open();
 * ```
 */
export function manualLimiter(
  options: { readonly concurrency?: number | undefined } = {},
): ManualLimiter {
  checkKeys('manualLimiter', options, ['concurrency']);
  const { concurrency = Number.POSITIVE_INFINITY } = options;
  const waiting: Waiting[] = [];
  let permits = 0;
  let ages = 0;
  let running = 0;
  let spent = 0;
  const admit = (): void => {
    while (permits > 0 && running < concurrency) {
      const next = waiting.shift();
      if (next === undefined) return;
      permits -= 1;
      running += 1;
      void next.work().finally(() => {
        running -= 1;
        admit();
      });
    }
  };
  return {
    concurrency,
    age: () => ages++,
    spend: (tokens) => {
      spent += tokens;
    },
    enter: (age, work) => {
      const after = waiting.findIndex((other) => other.age > age);
      waiting.splice(after < 0 ? waiting.length : after, 0, { age, work });
      admit();
    },
    open: (calls = 1) => {
      permits += calls;
      admit();
    },
    get waiting() {
      return waiting.map(({ age }) => age);
    },
    get running() {
      return running;
    },
    get spent() {
      return spent;
    },
  };
}
