import { readFileSync } from 'node:fs';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '../../../src/stores/sqlite/index.js';
import { migrations, schemaVersion } from '../../../src/stores/sqlite/migrations.js';
import { taskAttempt } from '../../support/task-attempt.js';
import { end, header, record } from './file-support.js';
import { execute, newFile, rawly } from './sqlite-support.js';

const columnsOf = (file: string): unknown[] =>
  rawly(file, "SELECT name, type FROM pragma_table_info('attempts')");
const schemaOf = (file: string): unknown[] =>
  rawly(file, 'SELECT name, sql FROM sqlite_schema ORDER BY name');

describe('a database without the columns of reviews', () => {
  const oldTable =
    'CREATE TABLE attempts (task_id TEXT NOT NULL, attempt INTEGER NOT NULL, status TEXT, error TEXT, started_at INTEGER, duration_ms INTEGER, at INTEGER)';

  it('gets review_status TEXT and review_findings TEXT, keeps its rows, and is migrated a second time without a change [P4-18]', async () => {
    const file = newFile();
    execute(
      file,
      `${oldTable}; INSERT INTO attempts VALUES ('TASK-001', 1, 'failed', 'no tests', 1, 2, 3), ('TASK-001', 2, 'success', NULL, 4, 5, 6)`,
    );
    expect(JSON.stringify(columnsOf(file))).not.toContain('review_');
    const store = sqliteStore(file);
    expect(await store.attempts.of('TASK-001')).toEqual([
      taskAttempt({ runId: 'unknown', error: 'no tests', at: '1970-01-01T00:00:00.003Z' }),
      taskAttempt({
        runId: 'unknown',
        attempt: 2,
        status: 'success',
        at: '1970-01-01T00:00:00.006Z',
      }),
    ]);
    expect(columnsOf(file)).toEqual(
      expect.arrayContaining([
        { name: 'review_status', type: 'TEXT' },
        { name: 'review_findings', type: 'TEXT' },
      ]),
    );
    expect(rawly(file, 'SELECT review_status, review_findings FROM attempts')).toEqual([
      { review_status: null, review_findings: null },
      { review_status: null, review_findings: null },
    ]);
    await store.close();
    const once = schemaOf(file);
    // as after a crash between the tables and the version
    execute(file, 'PRAGMA user_version = 0');
    const again = sqliteStore(file);
    expect(await again.attempts.of('TASK-001')).toHaveLength(2);
    await again.close();
    expect(schemaOf(file)).toEqual(once);
    expect(rawly(file, 'PRAGMA user_version')).toEqual([{ user_version: schemaVersion }]);
  });

  it('whose attempts have no numbers gets them in the order of its rows', async () => {
    const file = newFile();
    execute(
      file,
      "CREATE TABLE attempts (task_id TEXT, error TEXT); INSERT INTO attempts VALUES ('a', 'one'), ('b', 'other'), ('a', 'two')",
    );
    const store = sqliteStore(file);
    expect(await store.attempts.last('a')).toMatchObject({ attempt: 2, error: 'two' });
    await store.attempts.record(taskAttempt({ taskId: 'b' }));
    expect((await store.attempts.of('b')).map(({ runId, attempt }) => [runId, attempt])).toEqual([
      ['unknown', 1],
      ['r1', 1],
    ]);
    expect(rawly(file, "SELECT attempt FROM attempts WHERE task_id = 'b' ORDER BY rowid")).toEqual([
      { attempt: 1 },
      { attempt: 2 },
    ]);
    await store.close();
  });

  it.each(Array.from({ length: schemaVersion }, (_, version) => version))(
    'of version %s is brought to the last one, with what is in it',
    async (version) => {
      const file = newFile();
      const old = new Libsql(file);
      for (const migration of migrations.slice(0, version)) migration(old);
      old.exec(
        `PRAGMA user_version = ${version}; PRAGMA application_id = ${version === 0 ? 0 : 0x72_76_6c_70}`,
      );
      if (version > 0)
        old.exec(
          version < 4
            ? "INSERT INTO attempts (task_id, run_id, attempt, status) VALUES ('a', 'r0', 1, 'failed'), ('a', 'r1', 2, 'failed')"
            : "INSERT INTO attempts (task_id, run_id, attempt, status, run_attempt) VALUES ('a', 'r0', 1, 'failed', 1), ('a', 'r1', 2, 'failed', 1)",
        );
      old.close();
      const store = sqliteStore(file);
      await store.attempts.record(
        taskAttempt({ taskId: 'a', reviewStatus: 'rejected', humanDecision: 'reject' }),
      );
      const last = { runId: 'r1', attempt: 1, reviewStatus: 'rejected' };
      expect(await store.attempts.of('a')).toMatchObject(
        version > 0 ? [{ runId: 'r0', attempt: 1, reviewStatus: null }, last] : [last],
      );
      await record(store, 'r', [header('r'), end('approved')]);
      await store.close();
      expect(rawly(file, 'PRAGMA user_version')).toEqual([{ user_version: schemaVersion }]);
    },
  );
});

describe('a database that is not for this version', () => {
  const refusal = async (file: string): Promise<unknown> =>
    sqliteStore(file)
      .list()
      .then(
        () => 'opened',
        (error: unknown) => error,
      );

  it('but for a later one is refused, and not changed', async () => {
    const file = newFile();
    await sqliteStore(file).list();
    execute(file, `PRAGMA user_version = ${schemaVersion + 1}; PRAGMA wal_checkpoint(TRUNCATE)`);
    const before = readFileSync(file);
    expect(await refusal(file)).toMatchObject({
      code: 'journal_newer',
      message: expect.stringContaining(`version ${schemaVersion + 1}`),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    ['with tables of another program', 'CREATE TABLE orders (id)'],
    ['with the mark of another program', 'PRAGMA application_id = 7'],
    ['with a version, and none of our tables', 'PRAGMA user_version = 40'],
  ])('%s is refused, and not changed', async (_, sql) => {
    const file = newFile();
    execute(file, sql);
    const before = readFileSync(file);
    expect(await refusal(file)).toMatchObject({ code: 'store_foreign' });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('with a trigger is refused, because it may drop what is recorded', async () => {
    const file = newFile();
    await sqliteStore(file).list();
    execute(
      file,
      'CREATE TRIGGER quiet BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END; PRAGMA wal_checkpoint(TRUNCATE)',
    );
    expect(await refusal(file)).toMatchObject({
      code: 'store_foreign',
      message: expect.stringContaining('trigger quiet') as string,
    });
  });

  it('with a version below zero is refused', async () => {
    const file = newFile();
    execute(file, 'PRAGMA user_version = -3');
    expect(await refusal(file)).toMatchObject({ code: 'journal_corrupt' });
  });
});
