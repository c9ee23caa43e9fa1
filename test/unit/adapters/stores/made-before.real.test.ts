import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { type PostgresStore, postgresStore } from '@/adapters/stores/postgres/index.js';
import { type SqliteStore, sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { freshSchema, pglite } from '../../../support/postgres.js';
import { tempFolder } from '../../../support/temp-folder.js';

// what `filled` stored with the version before the tables had one code, written down by
// `.dump` and by `pg_dump --inserts`
const madeBefore = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'made-before', `${name}.sql`), 'utf8');

type Open = () => Promise<SqliteStore | PostgresStore>;

const places: readonly (readonly [string, Open, now: Open, columns: string])[] = [
  [
    'SQLite',
    async () => {
      const file = join(tempFolder('made-before'), 'runs.db');
      const database = new Libsql(file);
      database.exec(madeBefore('sqlite'));
      database.close();
      return sqliteStore(file);
    },
    async () => sqliteStore(join(tempFolder('made-now'), 'runs.db')),
    `SELECT t.name || '.' || c.name || ' ' || c.type AS one
     FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY 1`,
  ],
  [
    'PostgreSQL',
    async () => {
      const place = await pglite();
      const schema = freshSchema();
      const statements = madeBefore('postgres').replaceAll(/\bbefore\b/g, schema);
      for (const statement of statements.split(/(?<=;)\n/)) await place.query(statement);
      return postgresStore(place, { schema, migrate: false });
    },
    async () => postgresStore(await pglite(), { schema: freshSchema() }),
    `SELECT concat_ws(' ', t.relname, c.attname, format_type(c.atttypid, c.atttypmod),
       c.attcollation, c.attnotnull) AS one
     FROM pg_attribute c JOIN pg_class t ON t.oid = c.attrelid AND t.relkind = 'r'
     WHERE c.attnum > 0 AND t.relnamespace =
       (SELECT relnamespace FROM pg_class WHERE relname = 'attempts' ORDER BY oid DESC LIMIT 1)
     ORDER BY 1`,
  ],
];

describe.each(places)('a database in %s that the version before made', (_, open, now, columns) => {
  it('is read whole, and goes on', async () => {
    const store = await open();
    const statuses = (await store.list()).map(({ runId, status }) => `${runId} ${status}`);
    const ended = ['mended approved', 'answered accepted', 'waiting suspended'];
    expect(statuses).toEqual([...ended, 'overridden accepted', 'inconclusive inconclusive']);
    for (const { runId } of await store.list()) expect(await store.read(runId)).toBeDefined();
    const { runs } = (await store.waiting?.({ limit: 9 })) ?? { runs: [] };
    expect(runs.map(({ runId, questions }) => [runId, questions.length])).toEqual([['waiting', 1]]);
    expect(await store.lessons.lessons()).toHaveLength(1);
    const attempts = await store.attempts.of('TASK-001');
    expect(attempts.map(({ runId }) => runId)).toEqual(['r1', 'mended']);
    expect((await store.attempts.last('TASK-002'))?.decidedBy).toBe('ann');
    const key = 'd8514a5f40708fc8735eaf56d5e7f968ccb60932113bba214bf6cad10eded1fa';
    expect((await store.verdicts.get(key))?.about).toMatchObject({ reviewer: 'judge' });
    const { records, intact } = await store.verifyAudit();
    expect([records, intact]).toEqual([2, true]);
    expect(await store.audit.record({ kind: 'a', who: 'Ada' })).toMatchObject({ seq: 3 });
    await (await store.open('waiting', true)).close();
    expect(await store.pruneVerdicts({ olderThanMs: 0, max: 0 })).toBe(2);
    await store.close();
  });

  it('has the columns of a new one', async () => {
    const before = await open();
    await before.list();
    const found = await before.query(columns);
    expect(found.length).toBeGreaterThan(100);
    const made = await now();
    await made.list();
    expect(await made.query(columns)).toEqual(found);
    await Promise.all([before.close(), made.close()]);
  });
});
