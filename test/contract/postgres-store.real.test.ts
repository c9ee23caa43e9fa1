import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  type PostgresClient,
  type PostgresStore,
  postgresStore,
} from '@/adapters/stores/postgres/index.js';
import {
  type ContractCase,
  limiterContract,
  rateLimitContract,
  spendingLimitContract,
} from '@/testing/index.js';
import { findPgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { describePostgres, freshSchema, missing, pglite } from '../support/postgres.js';
import { keeps, recordsOf } from './faults.js';

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

// first, while the database is small: these cases wait by the clock of the server
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

function contractsOver(place: () => string | PostgresClient | Promise<PostgresClient>): void {
  const stores: PostgresStore[] = [];
  afterAll(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  const open = async (schema: string): Promise<PostgresStore> => {
    const store = postgresStore(await place(), { schema });
    stores.push(store);
    return store;
  };
  keeps({
    place: freshSchema,
    runs: open,
    verdicts: async (schema) => (await open(schema)).verdicts,
    lessons: async (schema) => (await open(schema)).lessons,
    attempts: async (schema) => (await open(schema)).attempts,
    checklists: async (schema) => (await open(schema)).checklist,
    audit: async (schema) => (await open(schema)).audit,
    records: async (schema) => recordsOf((await open(schema)).verifyAudit),
  });
}

describe('postgresStore over PGlite keeps the contract of stores', () => contractsOver(pglite));

describePostgres('postgresStore over a pool keeps the contract of stores', ({ pool }) => {
  let one: ReturnType<typeof pool> | undefined;
  contractsOver(() => (one ??= pool()));
});

describePostgres('postgresStore over an address keeps the contract of stores', ({ address }) => {
  contractsOver(address);
});

const pooler = findPgBouncer();
if (pooler === undefined) missing('postgresStore behind PgBouncer', 'no pgbouncer');
else
  describePostgres('postgresStore behind PgBouncer in transaction mode', ({ address }) => {
    let started: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      started = await startPgBouncer(pooler, address());
    });
    afterAll(() => started.close());

    describe('keeps the contract of stores', () => contractsOver(() => started.address));

    it('is migrated by eight processes at once', async () => {
      const schema = freshSchema();
      const stores = Array.from({ length: 8 }, () => postgresStore(started.address, { schema }));
      await Promise.all(stores.map((store) => store.list()));
      await Promise.all(stores.map((store) => store.close()));
    });
  });
