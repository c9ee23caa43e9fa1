import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/ports/clock.js';
import { checkedAddress } from '../../../src/stores/postgres/postgres-address.js';
import type { PostgresClient } from '../../../src/stores/postgres/postgres-client.js';
import {
  type DatabaseOptions,
  PostgresDatabase,
} from '../../../src/stores/postgres/postgres-database.js';
import { fakeClock } from '../../../src/testing/index.js';
import { describePostgres, freshSchema, pglite } from '../../support/postgres.js';

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
    await expect(database(place, { schema }).migrate()).rejects.toMatchObject({
      code: 'store_foreign',
    });
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
    const one = database(failing(1e9, refused), { clock, outageMs: 5000 });
    const answer = expect(one.ask('SELECT 1')).rejects.toMatchObject({
      code: 'store_busy',
      retryable: true,
    });
    await clock.advanceAsync(10_000);
    await answer;
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
