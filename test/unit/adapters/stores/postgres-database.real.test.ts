import { describe, expect, it } from 'vitest';
import { recordAnswer } from '@/adapters/engines/index.js';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { checkedAddress } from '@/adapters/stores/postgres/postgres-address.js';
import type { PostgresClient } from '@/adapters/stores/postgres/postgres-client.js';
import {
  type DatabaseOptions,
  PostgresDatabase,
} from '@/adapters/stores/postgres/postgres-database.js';
import { checksum } from '@/adapters/stores/stored-records.js';
import { definePipeline } from '@/index.js';
import { systemClock } from '@/ports/clock.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock } from '@/testing/index.js';
import { expectCode } from '../../../support/matchers.js';
import { describePostgres, freshSchema, pglite } from '../../../support/postgres.js';

function database(
  place: string | PostgresClient,
  options: Partial<DatabaseOptions> = {},
): PostgresDatabase {
  return new PostgresDatabase({
    place,
    schema: freshSchema(),
    outageMs: 60_000,
    migrate: true,
    worker: 'worker',
    connections: 4,
    clock: systemClock,
    ...options,
  });
}

describe('PostgresDatabase', () => {
  it('creates its tables before the first statement, and keeps what is there', async () => {
    const schema = freshSchema();
    const place = await pglite();
    const first = database(place, { schema });
    await first.ask(`INSERT INTO ${first.schema}.lessons (at, run, key, agent, title, summary, line)
      VALUES ('', '', '', '', '', '', '{}')`);
    const again = database(place, { schema, migrate: false });
    expect(await again.ask(`SELECT line FROM ${again.schema}.lessons`)).toEqual([{ line: '{}' }]);
  });

  it('refuses a schema of another program and leaves it as it is', async () => {
    const place = await pglite();
    const schema = freshSchema();
    await place.query(`CREATE SCHEMA ${schema}`);
    await place.query(`CREATE TABLE ${schema}.runs (id int)`);
    await expectCode(database(place, { schema }).migrate(), 'store_foreign');
    const tables = `SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace`;
    expect((await place.query(tables)).rows).toEqual([{ relname: 'runs' }]);
  });

  it('refuses a schema of a later version', async () => {
    const place = await pglite();
    const schema = freshSchema();
    await database(place, { schema }).migrate();
    await place.query(`UPDATE ${schema}.reviewloop_version SET version = 99`);
    const later = database(place, { schema });
    await expect(later.ask('SELECT 1')).rejects.toMatchObject({ code: 'journal_newer' });
    await expect(later.ask('SELECT 1')).rejects.toThrow(/has schema version 99/);
  });

  it('refuses a table of versions that contains none', async () => {
    const place = await pglite();
    const schema = freshSchema();
    await database(place, { schema }).migrate();
    await place.query(`DELETE FROM ${schema}.reviewloop_version`);
    const later = database(place, { schema });
    await expect(later.ask('SELECT 1')).rejects.toMatchObject({ code: 'journal_corrupt' });
  });

  it('creates nothing with `migrate: false`', async () => {
    const place = await pglite();
    const one = database(place, { migrate: false });
    await expect(one.ask('SELECT 1')).rejects.toMatchObject({ code: 'store_outdated' });
    await one.migrate(true);
    expect(await one.ask('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('reports what the database refuses, with the error of the driver as its cause', async () => {
    const one = database(await pglite());
    await expect(one.ask('SELECT nonsense')).rejects.toMatchObject({
      code: 'store_unavailable',
      cause: { code: '42703' },
    });
  });
});

describe('a database that does not answer', () => {
  const failing = (times: number, error: () => Error): PostgresClient => ({
    query: async () => {
      times -= 1;
      if (times >= 0) throw error();
      return { rows: [{ version: 1 }] };
    },
  });
  const refused = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

  it('is asked again until it does', async () => {
    const clock = fakeClock();
    const one = database(failing(5, refused), { clock });
    const answer = one.ask('SELECT version');
    await clock.advanceAsync(2000);
    expect(await answer).toEqual([{ version: 1 }]);
  });

  it('is given up with store_busy after `outageMs`', async () => {
    const clock = fakeClock();
    const said: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, message: string) => said.push(message) };
    const one = database(failing(1e9, refused), { clock, outageMs: 5000, logger });
    const answer = expect(one.ask('SELECT 1')).rejects.toMatchObject({
      code: 'store_busy',
      retryable: true,
    });
    await clock.advanceAsync(500);
    expect(said).toEqual([]);
    await clock.advanceAsync(10_000);
    await answer;
    expect(said).toEqual([expect.stringMatching(/ not answer \(refused\); .* for 5000 ms$/)]);
  });
});

describe('checkedAddress', () => {
  const modeOf = (address: string): string | null =>
    new URL(checkedAddress(address).connection).searchParams.get('sslmode');

  it.each([
    ['postgres://u:p@db.example.com/app', 'verify-full'],
    ['postgres://u:p@db.example.com/app?sslmode=require', 'verify-full'],
    ['postgres://u:p@db.example.com/app?sslmode=prefer&uselibpqcompat=true', 'verify-full'],
    ['postgres://u:p@db.example.com/app?sslmode=disable', 'disable'],
    ['postgres://u:p@localhost/app', null],
    ['postgres://u:p@127.0.0.1:5433/app', null],
    ['postgres://u:p@[::1]:5433/app', null],
    ['postgres:///app?host=/run/postgresql', null],
    ['postgres://localhost/app?host=db.example.com', 'verify-full'],
    ['postgresql://localhost.example.com/app', 'verify-full'],
    ['postgres://127.0.0.1/app?sslmode=require', 'verify-full'],
  ])('%s has sslmode %s', (address, mode) => {
    expect(modeOf(address)).toBe(mode);
  });

  it.each([
    '',
    'db',
    'https://u:secret@db/app',
    'postgres://u:sec ret@@/',
    'postgres://u:secret@db/app?sslmode=no-verify',
  ])('refuses %s without printing it', (address) => {
    expect(() => checkedAddress(address)).toThrow(/expected the address of the database/);
    expect(() => checkedAddress(address)).not.toThrow(/secret/);
  });

  it('shows no name and no password', () => {
    const { shown } = checkedAddress('postgres://ann:secret@db.example.com:6543/app');
    expect(shown).toBe('PostgreSQL at db.example.com:6543/app');
  });
});

describePostgres('a real server', ({ address, freshSchema: schemaName }) => {
  it('is migrated by twelve processes at once', async () => {
    const schema = schemaName();
    const all = Array.from({ length: 12 }, () => database(address(), { schema, connections: 1 }));
    await Promise.all(all.map((one) => one.migrate()));
    const [one] = all;
    expect(await one?.ask(`SELECT version FROM ${one.schema}.reviewloop_version`)).toEqual([
      { version: 2 },
    ]);
    await Promise.all(all.map((each) => each.close()));
  });

  it('is opened again after it was closed', async () => {
    const one = database(address());
    await one.ask('SELECT 1');
    await one.close();
    expect(await one.ask('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await one.close();
  });

  it('says what is wrong with the role, without its password', async () => {
    const wrong = address().replace('postgres@', 'nobody:secret@');
    const one = database(wrong);
    const error = await one.ask('SELECT 1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store_unavailable' });
    expect(String(error)).toContain('role "nobody" does not exist');
    expect(String(error)).not.toContain('secret');
  });
});

/** Two stores over one schema; the statements of the first one are recorded. */
async function counted() {
  const schema = freshSchema();
  const place = await pglite();
  const statements: string[] = [];
  const client: PostgresClient = {
    query: (text, values) => {
      statements.push(text);
      return place.query(text, values);
    },
  };
  const store = postgresStore(client, { schema });
  const other = postgresStore(place, { schema });
  await store.enlist();
  return { store, other, statements, schema };
}

const pipelineOver = (store: ReturnType<typeof postgresStore>) =>
  definePipeline({
    name: 'waits',
    store,
    produce: async (task: string) => `# ${task}`,
    criteria: { titled: (text) => text.startsWith('# ') || 'no title' },
    human: { policy: 'require' },
  });

async function waiting(store: ReturnType<typeof postgresStore>) {
  const outcome = await pipelineOver(store).run('tea', { runId: 'r' });
  if (outcome.status !== 'suspended') throw new Error(outcome.status);
  return outcome.requests[0];
}

describe('a run that must be known', () => {
  it('is opened whole, and is busy for others', async () => {
    const { store, other } = await counted();
    await waiting(store);
    const journal = await store.openKnown('r');
    expect(journal.records).toEqual(await other.read('r'));
    await expect(other.openKnown('r')).rejects.toMatchObject({ code: 'run_busy' });
    await journal.close();
    await (await other.openKnown('r')).close();
  });

  it('is refused where it is unknown, and nothing is created', async () => {
    const { store, schema } = await counted();
    await expect(store.openKnown('r')).rejects.toMatchObject({ code: 'run_unknown' });
    expect(await store.query(`SELECT run_id FROM ${schema}.runs`)).toEqual([]);
    await expect(
      pipelineOver(store).answer(
        { runId: 'r', id: 'x', digest: 'x' },
        { kind: 'approve', by: 'A' },
      ),
    ).rejects.toMatchObject({ code: 'run_unknown' });
    expect(await store.query(`SELECT run_id FROM ${schema}.runs`)).toEqual([]);
  });
});

describe('few statements', () => {
  it('an answer that ends the run takes four', async () => {
    const { store, statements } = await counted();
    const request = await waiting(store);
    if (request === undefined) throw new Error('no request');
    statements.length = 0;
    const { status } = await pipelineOver(store).answer(request, { kind: 'approve', by: 'Ann' });
    expect(status).toBe('approved');
    expect(statements).toHaveLength(4);
  });

  it('an answer that is only recorded takes three', async () => {
    const { store, statements } = await counted();
    const request = await waiting(store);
    if (request === undefined) throw new Error('no request');
    statements.length = 0;
    await recordAnswer(store, request, { kind: 'approve', by: 'Ann' });
    expect(statements).toHaveLength(3);
  });
});

it('the end of a run gives the run back with its record', async () => {
  const { store, other } = await counted();
  const journal = await store.open('r', true);
  await journal.append({ type: 'end', status: 'suspended', code: 'waits', at: 1 });
  const next = await other.open('r', true);
  await expectCode(
    journal.append({ type: 'end', status: 'approved', code: 'late', at: 2 }),
    'journal_fenced',
  );
  await journal.close();
  await next.append({ type: 'end', status: 'approved', code: 'in time', at: 2 });
  await next.close();
  expect(await store.list({ status: 'approved' })).toHaveLength(1);
});

describePostgres('a run whose writer is about to commit', ({ pool, freshSchema: newSchema }) => {
  it.each(['open', 'openKnown'] as const)('%s waits, and sees all its records', async (open) => {
    const schema = newSchema();
    const clients = pool();
    const store = postgresStore(clients, { schema });
    const end = { type: 'end', status: 'suspended', code: 'c', at: 1 } as const;
    const journal = await store.open('r', true);
    await journal.append(end);
    await journal.close();
    const body = JSON.stringify({ ...end, at: 2 });
    const writer = await clients.connect();
    await writer.query('BEGIN');
    await writer.query(`UPDATE ${schema}.runs SET records = 2`);
    await writer.query(
      `INSERT INTO ${schema}.records (run_id, n, epoch, type, body, sum, at)
       VALUES ('r', 1, 1, 'end', $1, $2, 2)`,
      [body, checksum('r', 1, body)],
    );
    const opening = store[open]('r', true);
    await expect
      .poll(async () => {
        const { rows } = await clients.query('SELECT FROM pg_locks WHERE NOT granted');
        return rows.length;
      })
      .toBeGreaterThan(0);
    await writer.query('COMMIT');
    writer.release();
    const opened = await opening;
    expect(opened.records).toEqual([end, { ...end, at: 2 }]);
    await opened.close();
    await store.close();
  });
});
