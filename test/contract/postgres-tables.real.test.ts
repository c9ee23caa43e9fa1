import { afterAll, describe, expect, it } from 'vitest';
import type { PostgresClient } from '@/adapters/stores/postgres/postgres-client.js';
import { PostgresDatabase } from '@/adapters/stores/postgres/postgres-database.js';
import { auditIn, checklistsIn } from '@/adapters/stores/postgres/postgres-tables.js';
import { attemptsIn } from '@/adapters/stores/rows/attempt-row.js';
import { verifyTable } from '@/adapters/stores/rows/audit-row.js';
import { systemClock } from '@/ports/clock.js';
import { storeContract } from '@/testing/index.js';
import { expectCode } from '../support/matchers.js';
import { describePostgres, freshSchema, pglite } from '../support/postgres.js';

const opened: PostgresDatabase[] = [];

function databaseAt(place: string | PostgresClient, schema = freshSchema()): PostgresDatabase {
  const database = new PostgresDatabase({
    place,
    schema,
    outageMs: 10_000,
    migrate: true,
    worker: 'worker',
    connections: 4,
    clock: systemClock,
  });
  opened.push(database);
  return database;
}

afterAll(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

describePostgres('the audit log of a real server', ({ address }) => {
  it('stays whole when 8 writers record 400 decisions at once', async () => {
    const schema = freshSchema();
    const writers = Array.from({ length: 8 }, () => auditIn(databaseAt(address(), schema)));
    const marks = await Promise.all(
      writers.flatMap((writer) =>
        // equal entries are records of their own
        Array.from({ length: 50 }, () => writer.record({ kind: 'answer', who: 'Ada' })),
      ),
    );
    const found = await verifyTable(databaseAt(address(), schema), {
      expect: marks.slice(0, 50),
    });
    expect(found).toMatchObject({ intact: true, records: 400, problems: [] });
    expect(new Set(marks.map(({ seq }) => seq)).size).toBe(400);
  });

  it('refuses to go on after a changed last record', async () => {
    const database = databaseAt(address());
    const audit = auditIn(database);
    await audit.record({ kind: 'answer', who: 'Ada' });
    await database.ask(`UPDATE ${database.schema}.audit SET line = replace(line, 'Ada', 'Eve')`);
    await expectCode(audit.record({ kind: 'answer', who: 'Ben' }), 'audit_corrupt');
  });
});

describe('statements that run twice, because their answer was lost', () => {
  /** A client that runs each changing statement twice. */
  const doubled = async (): Promise<PostgresClient> => {
    const client = await pglite();
    return {
      query: async (text, values) => {
        if (/^\s*(?:WITH written|INSERT|UPDATE)/.test(text)) await client.query(text, values);
        return client.query(text, values);
      },
    };
  };

  it('leave one record of the audit log for each decision', async () => {
    const database = databaseAt(await doubled());
    const audit = auditIn(database);
    await audit.record({ kind: 'answer', who: 'Ada' });
    expect(await audit.record({ kind: 'answer', who: 'Ada' })).toMatchObject({ seq: 2 });
    expect(await verifyTable(database, {})).toMatchObject({ intact: true, records: 2 });
  });

  it('change a checklist once', async () => {
    const checklists = checklistsIn(databaseAt(await doubled()), '');
    let calls = 0;
    const count = () =>
      checklists.update('plan-code', (state) => {
        calls += 1;
        return {
          schema_version: '1.1',
          phase: 'plan-code',
          iteration: 1,
          items: [],
          run: { id: 'a', from: (state?.run?.from ?? 0) + 1 },
        };
      });
    await count();
    expect((await count()).run?.from).toBe(2);
    expect(calls).toBe(2);
  });

  it('leave one attempt', async () => {
    const attempts = attemptsIn(databaseAt(await doubled()));
    const [first] = storeContract({ attempts: () => attempts }).slice(1, 2);
    await first?.run();
  });
});

it('the scope of checklists keeps those of two projects apart', async () => {
  const place = await pglite();
  const database = databaseAt(place);
  const state = { schema_version: '1.1', phase: 'plan-code', iteration: 1, items: [] } as const;
  await checklistsIn(database, 'a').update('plan-code', () => ({
    ...state,
    items: [],
    inputs: ['a'],
  }));
  expect(await checklistsIn(database, 'b').read('plan-code')).toBeUndefined();
  expect((await checklistsIn(database, 'a').read('plan-code'))?.inputs).toEqual(['a']);
});
