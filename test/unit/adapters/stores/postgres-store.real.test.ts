import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PostgresClient,
  type PostgresStore,
  postgresStore,
} from '@/adapters/stores/postgres/index.js';
import { PostgresDatabase } from '@/adapters/stores/postgres/postgres-database.js';
import type { PostgresStoreOptions } from '@/adapters/stores/postgres/postgres-store.js';
import { reportFiles } from '@/adapters/stores/postgres/report-files.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { definePipeline } from '@/index.js';
import { systemClock } from '@/ports/clock.js';
import type { Journal, JournalRecord } from '@/ports/store.js';
import { fakeClock, fakeRandom } from '@/testing/index.js';
import { answersOf, problemsAfter } from '../../../support/damaged-cells.js';
import { filled } from '../../../support/filled-database.js';
import { errorWith } from '../../../support/matchers.js';
import { describePostgres, freshSchema, pglite } from '../../../support/postgres.js';
import { failed, passed, reviewer } from '../../engine/support.js';
import { end, header, step } from './file-support.js';
import { newFile } from './sqlite-support.js';

async function stores(
  count: number,
  options: PostgresStoreOptions = {},
): Promise<{ readonly all: readonly PostgresStore[]; readonly schema: string }> {
  const schema = freshSchema();
  const place = await pglite();
  return {
    schema,
    all: Array.from({ length: count }, () => postgresStore(place, { schema, ...options })),
  };
}

async function twoStores(
  options: PostgresStoreOptions = {},
): Promise<{ readonly one: PostgresStore; readonly two: PostgresStore; readonly schema: string }> {
  const { all, schema } = await stores(2, options);
  const [one, two] = all;
  if (one === undefined || two === undefined) throw new Error('two stores');
  return { one, two, schema };
}

async function written(
  store: PostgresStore,
  runId: string,
  records: readonly JournalRecord[],
): Promise<void> {
  const journal = await store.open(runId, true);
  await Promise.all(records.map(async (record) => journal.append(record)));
  await journal.close();
}

describe('any value', () => {
  const texts = ['\u0000', 'a\u0000b', '\ud800', '\udfff x', '\u2028', '\\u0000'];
  const drop = "'; DROP TABLE runs; --";
  const values = [...texts, drop, '$1 {} %s', '"\\', '\ufffe', '😀', 'x'.repeat(5_000_000)];

  it('is read back equal by another process, and shown without NUL', async () => {
    const { one, two, schema } = await twoStores();
    const records = [
      { ...header('a'), pipeline: 'p\u0000', task: values },
      ...values.map((value) => step(`s${value.slice(0, 40)}`, { [value.slice(0, 40)]: value })),
    ];
    await written(one, 'a', records);
    expect(await two.read('a')).toEqual(records);
    expect(await one.list({ limit: 1 })).toMatchObject([{ pipeline: 'p\ufffd' }]);
    expect(await one.query(`SELECT count(*) AS n FROM ${schema}.steps`)).toEqual([
      { n: values.length },
    ]);
  });
});

describe('what a writer may write', () => {
  it('is refused when another one took over while it was silent', async () => {
    const { one, two, schema } = await twoStores();
    const journal = await one.open('a', true);
    const lost: unknown[] = [];
    journal.onLost?.((error) => lost.push(error.code));
    await journal.append(header('a'));
    const place = await pglite();
    await place.query(`UPDATE ${schema}.workers SET lease_until = '-infinity'`);
    const next = await two.open('a', true);
    await expect(journal.append(step('late'))).rejects.toMatchObject({ code: 'journal_fenced' });
    expect(lost).toEqual(['journal_fenced']);
    await next.append(step('mine'));
    await journal.close();
    await expect(one.open('a', true)).rejects.toMatchObject({ code: 'run_busy' });
    await next.close();
    expect(await one.read('a')).toEqual([header('a'), step('mine')]);
  });

  it('is known without asking while the lease lasts, and asked for after a pause', async () => {
    const clock = fakeClock();
    const { all, schema } = await stores(1, { clock, leaseMs: 60_000 });
    const [one] = all;
    const two = postgresStore(await pglite(), { schema });
    const journal = await one?.open('a', true);
    await journal?.append(header('a'));
    expect(journal?.held?.()).toBeUndefined();
    clock.advance(61_000);
    await expect(journal?.held?.()).resolves.toBeUndefined();
    expect(journal?.held?.()).toBeUndefined();
    await (await pglite()).query(`UPDATE ${schema}.workers SET lease_until = '-infinity'`);
    const next = await two.open('a', true);
    const lost: unknown[] = [];
    journal?.onLost?.((error) => lost.push(error.code));
    clock.advance(61_000);
    // the process wakes up and renews its lease before the next call
    await one?.enlist();
    await expect(journal?.held?.()).rejects.toMatchObject({ code: 'journal_fenced' });
    expect(lost).toEqual(['journal_fenced']);
    await expect(journal?.held?.()).rejects.toMatchObject({ code: 'journal_fenced' });
    await Promise.all([journal?.close(), next.close()]);
  });

  it('lets a process that was frozen begin no call after another one took over', async () => {
    const clock = fakeClock();
    const { all, schema } = await stores(1, { clock });
    const [one] = all;
    if (one === undefined) throw new Error('a store');
    const freeze = async (): Promise<void> => {
      await (await pglite()).query(`UPDATE ${schema}.workers SET lease_until = '-infinity'`);
      await (await postgresStore(await pglite(), { schema }).open('a', true)).close();
      clock.advance(61_000);
    };
    const frozen: PostgresStore = {
      ...one,
      open: async (...asked) => {
        const journal: Journal = await one.open(...asked);
        return {
          records: journal.records,
          append: async (record) => {
            await journal.append(record);
            await freeze();
          },
          held: () => journal.held?.(),
          onLost: (callback) => journal.onLost?.(callback),
          close: () => journal.close(),
        };
      },
    };
    let calls = 0;
    const pipeline = definePipeline<null, string>({
      produce: () => {
        calls += 1;
        return 'text';
      },
      criteria: { fine: () => true },
      store: frozen,
    });
    const outcome = await pipeline.run(null, { runId: 'a' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'journal_fenced' });
    expect(calls).toBe(0);
  });

  it('leaves no gap where the database lost records that it had promised', async () => {
    const { one, schema } = await twoStores();
    const journal = await one.open('a', true);
    for (const record of [header('a'), step('1'), step('2')]) await journal.append(record);
    const place = await pglite();
    await place.query(`WITH d AS (DELETE FROM ${schema}.records WHERE n = 2)
      UPDATE ${schema}.runs SET records = 2`);
    await expect(journal.append(step('3'))).rejects.toMatchObject({ code: 'journal_fenced' });
    await journal.close();
    const next = await one.open('a', true);
    expect(next.records).toEqual([header('a'), step('1')]);
    await next.close();
  });

  it('does not fail with what another run of the same statement has', async () => {
    const { one } = await twoStores();
    const [bad, good] = await Promise.all([one.open('bad', true), one.open('good', true)]);
    const wrong = step(`iter:${'9'.repeat(12)}/review:x`);
    const results = await Promise.allSettled([
      bad.append(header('bad')),
      bad.append(wrong),
      good.append(header('good')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await expect(bad.append(step('next'))).rejects.toMatchObject({ code: 'journal_write_failed' });
    await Promise.all([bad.close(), good.close()]);
    expect(await one.read('good')).toEqual([header('good')]);
    await (await one.open('bad', true)).close();
  });

  it('is not read back where a record was changed or is missing', async () => {
    const { one, schema } = await twoStores();
    const place = await pglite();
    await written(one, 'changed', [header('changed'), step('1', 'one')]);
    await place.query(`UPDATE ${schema}.records SET body = replace(body, 'one', 'two')`);
    await expect(one.read('changed')).rejects.toThrow(/its checksum does not match/);
    await written(one, 'missing', [header('missing'), step('1')]);
    await place.query(`DELETE FROM ${schema}.records WHERE run_id = 'missing' AND n = 1`);
    await expect(one.read('missing')).rejects.toThrow(/records found: 1, written: 2/);
    await expect(one.open('missing', true)).rejects.toMatchObject({ code: 'journal_corrupt' });
  });
});

describe('the lease of a process', () => {
  it('depends on no clock but that of the server', async () => {
    const { all, schema } = await stores(1, { clock: fakeClock(-300_000) });
    const [late] = all;
    const early = postgresStore(await pglite(), { schema, clock: fakeClock(4e12) });
    const journal = await late?.open('a', true);
    await journal?.append(header('a'));
    await expect(early.open('a', true)).rejects.toMatchObject({ code: 'run_busy' });
    expect((await early.orphans({ limit: 9, olderThanMs: 0 })).runs).toEqual([]);
    expect(Math.abs((await early.now()) - Date.now())).toBeLessThan(60_000);
    await journal?.close();
  });

  it('ends when the store is closed, and then others may go on', async () => {
    const { one, two } = await twoStores();
    const journal = await one.open('a', true);
    await journal.append(header('a'));
    await one.close();
    expect(await two.deadWorkers()).toEqual([one.worker]);
    expect((await two.orphans({ limit: 9 })).runs).toEqual([
      { runId: 'a', pipeline: 'test', epoch: '1' },
    ]);
    await two.forgetWorkers([one.worker]);
    expect(await two.deadWorkers()).toEqual([one.worker]);
    await (await two.open('a', true)).close();
    await two.forgetWorkers([one.worker, two.worker]);
    expect(await two.deadWorkers()).toEqual([]);
    await expect(journal.append(step('late'))).rejects.toMatchObject({ code: 'journal_fenced' });
  });

  it('has a new id in every process, also with one name', async () => {
    const { one, two } = await twoStores({ worker: 'web' });
    expect(one.worker).toMatch(/^web:/);
    expect(one.worker).not.toBe(two.worker);
  });
});

it('the rows for people are those of a database in SQLite', async () => {
  const { one, schema } = await twoStores();
  const other = sqliteStore(newFile());
  const rows: unknown[] = [];
  for (const [store, from] of [
    [one, `${schema}.`],
    [other, ''],
  ] as const) {
    const clock = fakeClock(1_700_000_000_000);
    const pipeline = definePipeline<string, string>({
      name: 'people',
      store,
      clock,
      random: fakeRandom(),
      failFast: false,
      human: { policy: 'require' },
      produce: async (task) => `${task} loud`,
      address: async () => 'calm',
      reviewers: [
        reviewer('tone', async ({ output }) => [
          output === 'calm' ? passed('tone') : failed('tone'),
        ]),
      ],
    });
    const outcome = await pipeline.run('tea', { runId: 'a' });
    const [request] = outcome.status === 'suspended' ? outcome.requests : [];
    if (request !== undefined) await pipeline.answer(request, { kind: 'approve', by: 'Ann' });
    const tables = ['runs', 'steps', 'questions', 'answers', 'reviews', 'assessments', 'gaps'];
    const columns = 'run_id, status, code, pipeline, task_digest, task, started_at, ended_at';
    for (const table of tables)
      rows.push(
        await store.query(
          `SELECT ${table === 'runs' ? columns : '*'} FROM ${from}${table} ORDER BY 1, 2, 3`,
        ),
      );
  }
  const half = rows.length / 2;
  expect(rows[4]).toHaveLength(2);
  expect(rows.slice(0, half)).toEqual(JSON.parse(JSON.stringify(rows.slice(half))));
});

describe('query', () => {
  it('changes nothing', async () => {
    const { one, schema } = await twoStores();
    await written(one, 'a', [header('a')]);
    for (const sql of [
      `DELETE FROM ${schema}.runs`,
      `WITH gone AS (DELETE FROM ${schema}.runs RETURNING *) SELECT * FROM gone`,
      `SELECT 1) AS q; DELETE FROM ${schema}.runs; SELECT * FROM (SELECT 1`,
    ])
      await expect(one.query(sql)).rejects.toThrow();
    expect(await one.query(`SELECT run_id, records FROM ${schema}.runs;`)).toEqual([
      { run_id: 'a', records: 1 },
    ]);
  });

  it('takes values, and refuses those that a database cannot hold', async () => {
    const { one } = await twoStores();
    expect(await one.query('SELECT $1::text AS a, $2::int + 1 AS b', 'x', 2)).toEqual([
      { a: 'x', b: 3 },
    ]);
    await expect(one.query('SELECT $1::text', '\u0000')).rejects.toThrow(/strings without NUL/);
    await expect(one.query('SELECT $1::float8', Number.NaN)).rejects.toThrow(/finite numbers/);
  });
});

it('prune removes old ended runs with all their rows, and no other', async () => {
  const { one, two, schema } = await twoStores();
  await written(one, 'old', [header('old'), step('1'), end('approved', 10)]);
  await written(one, 'new', [header('new'), end('approved', 5000)]);
  await written(one, 'waits', [header('waits'), end('suspended', 10)]);
  await written(two, 'open', [end('approved', 10)]);
  const open = await two.open('open', true);
  const clock = fakeClock(6000);
  expect(await one.prune({ olderThanMs: 0, keep: 3, clock })).toEqual([]);
  expect(await one.prune({ olderThanMs: 2000, clock })).toEqual(['old']);
  expect((await one.list()).map(({ runId }) => runId)).toEqual(['new', 'waits', 'open']);
  expect(await one.query(`SELECT count(*) AS n FROM ${schema}.steps`)).toEqual([{ n: 0 }]);
  await open.close();
  // by the server's clock both are old
  expect(await one.prune({ olderThanMs: 1000 })).toEqual(['new', 'open']);
});

describe('postgresStore', () => {
  it.each([
    [{ schema: 'a b' }, /`schema`/],
    [{ schema: 'x"; DROP' }, /`schema`/],
    [{ leaseMs: 0 }, /`leaseMs`/],
    [{ outageMs: -1 }, /`outageMs`/],
    [{ connections: 0.5 }, /`connections`/],
    [{ worker: '' }, /`worker`/],
    [{ migrate: 1 }, /`migrate`/],
    [{ lease: 1 }, /no option `lease`/],
  ])('refuses %o', (options, message) => {
    expect(() =>
      postgresStore('postgres://localhost/app', options as PostgresStoreOptions),
    ).toThrow(message);
  });

  it('refuses a place that is none', () => {
    expect(() => postgresStore({} as PostgresClient)).toThrow(/`place`/);
    expect(() => postgresStore('file.db')).toThrow(/the address of the database/);
  });

  it('refuses wrong cursors and limits', async () => {
    const { one } = await twoStores();
    await expect(one.list({ limit: 0 })).rejects.toThrow(/`limit`/);
    await expect(one.list({ limit: 1, after: 'x' })).rejects.toThrow(/`after`/);
    await expect(one.orphans({ limit: 1, olderThanMs: -1 })).rejects.toThrow(/`olderThanMs`/);
  });
});

describePostgres('a role without rights to create', ({ address, freshSchema: name, pool }) => {
  it('uses what another one migrated', async () => {
    const schema = name();
    await postgresStore(pool(), { schema }).migrate();
    const admin = pool();
    await admin.query(`CREATE ROLE ${schema}_app LOGIN`);
    await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${schema}_app`);
    await admin.query(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${schema}_app`,
    );
    const place = address().replace('postgres@', `${schema}_app@`);
    const store = postgresStore(place, { schema, migrate: false });
    await written(store, 'a', [header('a'), step('1'), end('approved')]);
    expect(await store.list()).toEqual([{ runId: 'a', status: 'approved' }]);
    await store.close();
    const other = postgresStore(place, { schema: name() });
    await expect(other.list()).rejects.toMatchObject({
      code: 'store_unavailable',
      what: expect.stringContaining(`the role ${schema}_app lacks CREATE on the database`),
    });
    await other.close();
  });

  const refusals: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'by what it was granted',
      ['GRANT SELECT ON ALL TABLES IN SCHEMA s TO ro', 'GRANT ALL ON s.verdicts TO ro'],
      /_ro lacks DELETE, INSERT, UPDATE on answers, .*\bruns\b.*workers/,
    ],
    [
      'by a setting',
      [
        'GRANT ALL ON ALL TABLES IN SCHEMA s TO ro',
        'ALTER ROLE ro SET default_transaction_read_only = on',
      ],
      /_ro may only read here: default_transaction_read_only is on/,
    ],
    [
      'not even that',
      ['REVOKE USAGE ON SCHEMA s FROM ro'],
      /UPDATE on all tables; USAGE on the schema/,
    ],
  ];
  it.each(refusals)(
    'that may only read, %s, learns at once what it lacks [R3-116]',
    async (_, given, what) => {
      const schema = name();
      const admin = pool();
      await postgresStore(admin, { schema }).migrate();
      for (const sql of ['CREATE ROLE ro LOGIN', 'GRANT USAGE ON SCHEMA s TO ro', ...given])
        await admin.query(sql.replace(/\bro\b/, `${schema}_ro`).replace(/\bs\b/, schema));
      const store = postgresStore(address().replace('postgres@', `${schema}_ro@`), { schema });
      await expect(store.enlist()).rejects.toMatchObject(errorWith('store_unavailable', what));
      await store.close();
    },
  );
});

async function filesIn(schema = freshSchema(), asked: string[] = []) {
  const place = await pglite();
  const database = new PostgresDatabase({
    place: {
      query: (text, values) => {
        asked.push(text);
        return place.query(text, values);
      },
    },
    schema,
    outageMs: 10_000,
    migrate: true,
    worker: 'worker',
    connections: 1,
    clock: systemClock,
  });
  return { database, files: reportFiles(database) };
}

describe('the table of reports as files', () => {
  it('reads, lists, replaces and removes as a folder does', async () => {
    const { files } = await filesIn();
    await expect(files.read('runs/a/review.json')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await files.list('runs')).toEqual([]);
    await files.write('runs/a/review.json', 'one');
    await files.write('runs/a/output/deep/page.html', 'page');
    await files.write('runs/a-b/review.json', 'other');
    await files.write('tasks/t.json', 'ta');
    files.append('tasks/t.json', 's');
    files.append('tasks/t.json', 'k');
    await files.settle();
    await files.write('runs/a/review.json', 'two');
    expect(await files.read('runs/a/review.json')).toBe('two');
    expect(await files.list('runs')).toEqual(['a', 'a-b']);
    expect(await files.list('runs/a')).toEqual(['output', 'review.json']);
    expect(await files.list('runs/a/output')).toEqual(['deep']);
    expect(await files.list('tasks')).toEqual(['t.json']);
    expect(await files.changedAt('runs/a/review.json')).toBeGreaterThan(1_700_000_000_000);
    expect(await files.changedAt('runs/a/none')).toBeUndefined();
    await files.remove('runs/a/output');
    expect(await files.list('runs/a')).toEqual(['review.json']);
    await files.remove('runs/a');
    expect(await files.list('runs')).toEqual(['a-b']);
    expect(await files.read('tasks/t.json')).toBe('task');
  });

  it('keeps any text, and any name of a file', async () => {
    const { files } = await filesIn();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('json:"x"', '\u0000', '\ud800', 'json:', ''),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('a%_b', "it's", 'ü 😀', 'a.b'), async (body, name) => {
        await files.write(`runs/r/output/${name}`, body);
        expect(await files.read(`runs/r/output/${name}`)).toBe(body);
        expect(await files.list('runs/r/output')).toContain(name);
      }),
      { numRuns: 60 },
    );
  });

  it('reads the reports of all runs with few statements', async () => {
    const asked: string[] = [];
    const { database, files } = await filesIn(freshSchema(), asked);
    await database.ask(
      `INSERT INTO ${database.schema}.reports (run_id, name, body)
       SELECT 'r' || n, name, name || n FROM generate_series(1, 450) AS n,
         (VALUES ('review.json'), ('summary.md')) AS names (name)`,
    );
    await files.write('runs/odd/review.json', '\u0000');
    asked.length = 0;
    const found = (await files.readEach?.('review.json')) ?? new Map<string, string>();
    expect(asked).toHaveLength(3);
    expect(found.size).toBe(451);
    expect(found.get('r77')).toBe('review.json77');
    expect(found.get('odd')).toBe('\u0000');
  });

  it('knows whether a process with a lease works on a run', async () => {
    const { database, files } = await filesIn();
    const { schema } = database;
    await database.ask(
      `INSERT INTO ${schema}.workers (id, lease_until) VALUES
         ('here', clock_timestamp() + interval '1 hour'), ('gone', clock_timestamp() - interval '1 s')`,
    );
    await database.ask(
      `INSERT INTO ${schema}.runs (run_id, holder) VALUES ('a', 'here'), ('b', 'gone'), ('c', NULL)`,
    );
    const held = await Promise.all(['a', 'b', 'c', 'd'].map((id) => files.isHeld(id)));
    expect(held).toEqual([true, false, false, false]);
  });
});

describe('a database with a cell that is cut or changed', () => {
  it('names the run, reads all others, and shows no row as another, whatever the cell [R3-035]', async () => {
    const schema = freshSchema();
    const place = await pglite();
    const open = () => postgresStore(place, { schema });
    const { store } = await filled(open());
    await store.close();
    const rows = async (sql: string) => (await place.query(sql)).rows;
    const namesOf = async (sql: string) => (await rows(sql)).map(({ name }) => String(name));
    const known = {
      runIds: await namesOf(`SELECT run_id AS name FROM ${schema}.runs`),
      verdictKeys: await namesOf(`SELECT key AS name FROM ${schema}.verdicts`),
      query: `SELECT * FROM ${schema}.runs, ${schema}.records, ${schema}.attempts LIMIT 5`,
    };
    const answers = async () => {
      const again = open();
      const told = await answersOf(again, known);
      await again.close();
      return told;
    };
    const before = await answers();
    const cells = await namesOf(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = '${schema}' AND data_type = 'text'`,
    );
    const damages = {
      cut: (text: string) => text.slice(0, text.length / 2),
      // JSON stays JSON, with another value
      flipped: (text: string) =>
        text.replace(/[a-z1-9](?=[^a-z1-9]*$)/, (one) => (/[2x]/.test(one) ? '3' : '2')),
      mended: (text: string) => text,
    };
    let damaged = 0;
    const problems: string[] = [];
    for (const name of cells) {
      const [table = '', c = ''] = [`${schema}.${name.split('.')[0]}`, name.split('.')[1]];
      // whoever opens a run changes its row, so a mark finds it again
      await place.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS mark text`);
      const [cell] = await rows(
        `UPDATE ${table} SET mark = '${c}' WHERE ctid =
         (SELECT max(ctid) FROM ${table} WHERE length(${c}) > 3) RETURNING ${c} AS text`,
      );
      if (cell === undefined) continue;
      const whole = String(cell['text']);
      for (const [how, damage] of Object.entries(damages)) {
        // whoever opens a run that is gone begins it anew
        await place.query(`DELETE FROM ${schema}.runs WHERE records = 0`);
        await place.query(`UPDATE ${table} SET ${c} = $1 WHERE mark = '${c}'`, [damage(whole)]);
        damaged += 1;
        const said = problemsAfter(before, await answers());
        problems.push(...said.map((one) => `${name} ${how}: ${one}`));
      }
    }
    expect(damaged).toBeGreaterThan(60);
    expect(problems).toEqual([]);
  });
});
