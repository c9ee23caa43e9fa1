import { isReviewError } from '../core/errors.js';
import type { SpendingDay, SpendingLimit } from '../ports/spending-limit.js';
import { type ContractCase, ensure, ensureCode, ensureEqual, thrownBy } from './contract-case.js';
import { settle } from './fake-clock.js';

/**
 * Returns the test cases that every {@link SpendingLimit} must pass.
 *
 * @param makeLimit - Creates a new limit with so many US dollars a day for each case.
 * @example
 * ```ts
 * const cases = spendingLimitContract((usdPerDay) => spendingLimit({ usdPerDay }));
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function spendingLimitContract(
  makeLimit: (usdPerDay: number) => SpendingLimit,
): readonly ContractCase[] {
  return cases.map(({ name, run }) => ({ name, run: () => run(makeLimit) }));
}

interface SpendingCase {
  readonly name: string;
  readonly run: (makeLimit: (usdPerDay: number) => SpendingLimit) => Promise<void>;
}

const cases: readonly SpendingCase[] = [
  {
    name: 'a new day has no costs and a later end',
    run: async (makeLimit) => {
      const limit = makeLimit(2);
      ensure(limit.usdPerDay === 2, `expected 2 USD a day, got ${limit.usdPerDay}`);
      const { day, endsAt, ...costs } = await limit.today();
      ensureEqual(costs, { spentUsd: 0, reservedUsd: 0, unknownCalls: 0 }, 'costs');
      ensure(/^\d{4}-\d\d-\d\d$/.test(day), `expected a date, got ${day}`);
      ensure(new Date(endsAt).toISOString() === endsAt, `expected a time, got ${endsAt}`);
    },
  },
  {
    name: 'calls at the same time cannot overspend together',
    run: async (makeLimit) => {
      const limit = makeLimit(1);
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => limit.reserve(0.2)),
      );
      const reserved = results.filter(({ status }) => status === 'fulfilled').length;
      ensure(reserved === 5, `expected 5 calls of 0.2 USD to fit into 1 USD, got ${reserved}`);
    },
  },
  {
    name: 'a refusal names the limit, what is spent and the end of the day',
    run: async (makeLimit) => {
      const limit = makeLimit(1);
      const reservation = await limit.reserve(0.75);
      reservation.settle(0.75);
      await until(limit, ({ spentUsd }) => near(spentUsd, 0.75));
      const error = await thrownBy(() => limit.reserve(0.5), 'a call above the limit');
      ensure(isReviewError(error), 'a refusal must be a ReviewLoopError');
      ensureEqual(error.code, 'spending_limit_reached', 'code');
      const { endsAt } = await limit.today();
      for (const part of ['1.00 USD a day', '0.75 USD spent', endsAt])
        ensure(error.message.includes(part), `expected "${part}" in: ${error.message}`);
    },
  },
  {
    name: 'a cost replaces its reservation once; the rest can be reserved again',
    run: async (makeLimit) => {
      const limit = makeLimit(1);
      const reservation = await limit.reserve(0.9);
      reservation.settle(0.25);
      reservation.settle(0.9);
      await until(
        limit,
        ({ spentUsd, reservedUsd }) => near(spentUsd, 0.25) && near(reservedUsd, 0),
      );
      await limit.reserve(0.7);
      const { spentUsd, reservedUsd } = await limit.today();
      ensure(near(spentUsd, 0.25), `expected 0.25 USD spent, got ${spentUsd}`);
      ensure(near(reservedUsd, 0.7), `expected 0.7 USD reserved, got ${reservedUsd}`);
    },
  },
  {
    name: 'an unknown cost counts as expected, and is counted',
    run: async (makeLimit) => {
      const limit = makeLimit(1);
      const reservation = await limit.reserve(0.5);
      reservation.settle();
      await until(limit, ({ unknownCalls }) => unknownCalls === 1);
      const { spentUsd, reservedUsd } = await limit.today();
      ensure(near(spentUsd, 0.5), `expected 0.5 USD spent, got ${spentUsd}`);
      ensure(near(reservedUsd, 0), `expected nothing reserved, got ${reservedUsd}`);
    },
  },
  {
    name: 'a call without an expected cost fits until the limit is reached',
    run: async (makeLimit) => {
      const limit = makeLimit(1);
      const reservation = await limit.reserve(0);
      reservation.settle(1.5);
      await until(limit, ({ spentUsd }) => near(spentUsd, 1.5));
      await ensureCode(() => limit.reserve(0), 'spending_limit_reached', 'a call above the limit');
    },
  },
  {
    name: 'refuses a cost that is no number from 0',
    run: async (makeLimit) => {
      for (const usd of [-1, Number.NaN, Number.POSITIVE_INFINITY])
        await ensureCode(() => makeLimit(1).reserve(usd), 'invalid_options', `a cost of ${usd}`);
    },
  },
];

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-6;
}

/** Waits until a limit has counted what it was told; it may do so a little later. */
async function until(limit: SpendingLimit, isSo: (day: SpendingDay) => boolean): Promise<void> {
  for (let turn = 0; turn < 2000; turn += 1) {
    if (isSo(await limit.today())) return;
    await settle();
  }
  ensureEqual(await limit.today(), 'what was settled', 'today');
}
