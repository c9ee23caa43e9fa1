import { afterAll, beforeAll, describe, it } from 'vitest';
import { type PostgresStore, postgresStore } from '@/stores/postgres/index.js';
import {
  type ContractCase,
  limiterContract,
  rateLimitContract,
  spendingLimitContract,
} from '@/testing/index.js';
import { describePostgres, freshSchema, pglite } from '../support/postgres.js';

function keepContracts(limits: () => PostgresStore): void {
  let keys = 0;
  const key = (): string => `k${keys++}`;
  const contracts: Readonly<Record<string, readonly ContractCase[]>> = {
    'rate limits': rateLimitContract((options) => limits().rateLimit({ key: key(), ...options })),
    limiters: limiterContract((concurrency) => limits().limiter({ key: key(), concurrency })),
    'spending limits': spendingLimitContract((usdPerDay) =>
      limits().spendingLimit({ key: key(), usdPerDay }),
    ),
  };
  for (const [name, cases] of Object.entries(contracts))
    describe(`the contract of ${name}`, () => {
      for (const { name: one, run } of cases) it(one, run);
    });
}

describe('limits in PGlite keep', () => {
  let limits: PostgresStore;
  beforeAll(async () => {
    limits = postgresStore(await pglite(), { schema: freshSchema() });
  });
  afterAll(() => limits.close());
  keepContracts(() => limits);
});

describePostgres('limits in PostgreSQL keep', ({ address, freshSchema: fresh }) => {
  let limits: PostgresStore;
  beforeAll(() => {
    limits = postgresStore(address(), { schema: fresh() });
  });
  afterAll(() => limits.close());
  keepContracts(() => limits);
});
