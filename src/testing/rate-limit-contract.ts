import { checkKeys } from '../core/options.js';
import type { RateLimit, RatePass } from '../ports/rate-limit.js';
import { type ContractCase, ensure, ensureEqual } from './contract-case.js';

export interface RateLimitContractOptions {
  /** Lets a time pass, in milliseconds, on the clock of the limit. @default waits for so long */
  readonly advance?: ((ms: number) => Promise<void>) | undefined;
}

type Advance = (ms: number) => Promise<void>;
export type MakeLimit = (options: {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}) => RateLimit;

/**
 * Returns the test cases that every {@link RateLimit} must pass.
 *
 * @param makeLimit - Creates a new limit for each case.
 * @example
 * ```ts
 * const clock = fakeClock();
 * const cases = rateLimitContract((options) => rateLimit({ ...options, clock }), {
 *   advance: clock.advanceAsync,
 * });
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function rateLimitContract(
  makeLimit: MakeLimit,
  options: RateLimitContractOptions = {},
): readonly ContractCase[] {
  checkKeys('rateLimitContract', options, ['advance']);
  const { advance = wait } = options;
  return cases.map(({ name, run }) => ({ name, run: () => run(makeLimit, advance) }));
}

interface RateLimitCase {
  readonly name: string;
  readonly run: (makeLimit: MakeLimit, advance: Advance) => Promise<void>;
}

/** How long a case watches a call that must not start, in milliseconds. */
const watchMs = 150;

const cases: readonly RateLimitCase[] = [
  {
    name: 'lets the first call start, whatever it is expected to use',
    run: async (makeLimit, advance) => {
      const calls = { requestsPerMinute: 1, tokensPerMinute: 10 };
      await within(makeLimit(calls).enter({ tokens: 1000 }), advance, 'the first call');
    },
  },
  {
    name: 'starts no more calls than a minute has',
    run: async (makeLimit, advance) => {
      const limit = makeLimit({ requestsPerMinute: 3 });
      await within(limit.enter(), advance, 'the first call');
      const others = enterAll(limit, 4);
      await advance(watchMs);
      ensure(others.length <= 2, `expected at most 3 calls to start, got ${others.length + 1}`);
    },
  },
  {
    name: 'starts calls in their order',
    run: async (makeLimit, advance) => {
      const started = enterAll(makeLimit({ requestsPerMinute: 6000 }), 5);
      for (let turn = 0; turn < 200 && started.length < 5; turn += 1) await advance(10);
      ensureEqual(started, [0, 1, 2, 3, 4], 'order');
    },
  },
  {
    name: 'a call that is aborted while it waits rejects with the reason',
    run: async (makeLimit, advance) => {
      const limit = makeLimit({ requestsPerMinute: 1 });
      await within(limit.enter(), advance, 'the first call');
      const controller = new AbortController();
      const reason = new Error('enough');
      const { signal } = controller;
      const waiting = rejected(limit.enter({ signal }));
      controller.abort(reason);
      const late = rejected(limit.enter({ signal }));
      await advance(watchMs);
      ensure(waiting.reason === reason, 'an aborted call must reject with the reason');
      ensure(late.reason === reason, 'a call whose signal is aborted must reject with the reason');
    },
  },
  {
    name: 'holds a call back until tokens are free, and settled tokens are',
    run: async (makeLimit, advance) => {
      const limit = makeLimit({ tokensPerMinute: 60_000 });
      const first = await within(limit.enter({ tokens: 60_000 }), advance, 'the first call');
      const next = watched(limit.enter({ tokens: 6000 }));
      await advance(watchMs);
      ensure(!next.started, 'a call must wait while the tokens of the minute are used');
      first.settle(0);
      await within(next.entered, advance, 'a call after its tokens were given back');
    },
  },
  {
    name: 'counts tokens that no call announced',
    run: async (makeLimit, advance) => {
      const limit = makeLimit({ tokensPerMinute: 60_000 });
      limit.spend(120_000);
      // the next call of the same limit comes after what it was told before
      const next = watched(limit.enter({ tokens: 60_000 }));
      await advance(watchMs);
      ensure(!next.started, 'a call must wait for tokens that were spent before');
    },
  },
  {
    name: 'a refusal holds back all calls for as long as the service asks',
    run: async (makeLimit, advance) => {
      const limit = makeLimit({ requestsPerMinute: 6000 });
      const first = await within(limit.enter(), advance, 'the first call');
      if (first.refused === undefined) return;
      first.refused(2 * watchMs);
      const next = watched(limit.enter());
      await advance(watchMs);
      ensure(!next.started, 'no call must start while the service asks to wait');
      await within(next.entered, advance, 'a call after a refusal');
    },
  },
];

function enterAll(limit: RateLimit, count: number): number[] {
  const started: number[] = [];
  for (let index = 0; index < count; index += 1)
    void limit.enter().then(
      () => started.push(index),
      () => {},
    );
  return started;
}

function watched(entered: Promise<RatePass>): {
  readonly entered: Promise<RatePass>;
  readonly started: boolean;
} {
  let started = false;
  entered.then(
    () => {
      started = true;
    },
    () => {},
  );
  return {
    entered,
    get started() {
      return started;
    },
  };
}

function rejected(entered: Promise<RatePass>): { reason?: unknown } {
  const noted: { reason?: unknown } = {};
  entered.catch((error: unknown) => {
    noted.reason = error;
  });
  return noted;
}

/** Waits for a call that must start soon. */
async function within(
  entered: Promise<RatePass>,
  advance: Advance,
  what: string,
): Promise<RatePass> {
  let pass: RatePass | undefined;
  const got = entered.then((value) => {
    pass = value;
  });
  for (let turn = 0; turn < 1000 && pass === undefined; turn += 1)
    await Promise.race([got, advance(10)]);
  ensure(pass !== undefined, `${what} must start`);
  return pass;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
