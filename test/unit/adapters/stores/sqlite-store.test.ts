import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findDriver } from '@/adapters/stores/sqlite/driver.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import type { SqliteStoreOptions } from '@/adapters/stores/sqlite/sqlite-store.js';
import type { StoredVerdict } from '@/ports/verdict-store.js';
import type { TaskAttempt } from '@/products/task-review/index.js';
import { errorWith } from '../../../support/matchers.js';
import { nodeSqliteDouble } from '../../../support/node-sqlite-double.js';
import { taskAttempt } from '../../../support/task-attempt.js';
import { emptyDirectory, end, header, record, step, warningLogger } from './file-support.js';
import { execute, newFile, rawly, storeWithRaw } from './sqlite-support.js';

const codeOf = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );

afterEach(() => vi.useRealTimers());

const worksOf = (store: ReturnType<typeof sqliteStore>) => [
  () => store.list(),
  async () => store.open('a', true),
  () => store.attempts.record(taskAttempt()),
];

describe('sqliteStore: options', () => {
  it.each([
    ['', {}],
    [':memory:', {}],
    [7, {}],
    [{ exec: () => {} }, {}],
    ['a.db', { heartbeatMs: 0 }],
    ['a.db', { heartbeatMs: 20, patienceMs: 20 }],
    ['a.db', { busyTimeoutMs: 0 }],
    ['a.db', { lessons: { maxShown: 0 } }],
    ['a.db', { timeout: 1 }],
  ])('refuses %j with %j', (place, options) => {
    expect(() => sqliteStore(place as string, options as SqliteStoreOptions)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });

  it('refuses ids that are none, and reads nothing under them', async () => {
    const { store } = storeWithRaw();
    expect(await codeOf(async () => store.open('../x', true))).toBe('invalid_options');
    expect(await store.read('../x')).toBeUndefined();
  });
});

describe('sqliteStore: the database', () => {
  it('is made with its folder, which is kept out of version control, in WAL with full flushes', async () => {
    const file = join(emptyDirectory(), 'deep', 'place', 'runs.db');
    const store = sqliteStore(file);
    await record(store, 'a', [header('a')]);
    expect(rawly(file, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await store.query('SELECT synchronous FROM pragma_synchronous')).toEqual([
      { synchronous: 2 },
    ]);
    await store.close();
    expect(await store.read('a')).toHaveLength(1);
    await store.close();
  });

  it('is not touched before it is used', () => {
    const file = newFile();
    sqliteStore(file);
    expect(existsSync(file)).toBe(false);
  });

  it('of a connection that was passed stays open', async () => {
    const connection = new Libsql(newFile());
    const store = sqliteStore(connection);
    await record(store, 'a', [header('a'), end('approved')]);
    await store.close();
    expect(connection.prepare('SELECT status FROM runs').all()).toEqual([{ status: 'approved' }]);
    expect(await store.list()).toHaveLength(1);
  });

  it.each([
    ['a text', 'this is a text, and no database '.repeat(200)],
    ['zeros', '\u0000'.repeat(8192)],
  ])('that is %s is refused, and not changed', async (_, content) => {
    const file = newFile();
    writeFileSync(file, content);
    const store = sqliteStore(file);
    for (const work of worksOf(store)) expect(await codeOf(work)).toBe('journal_corrupt');
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('holds everything once it is closed: a copy of the file alone is a copy of all runs', async () => {
    const { file, store } = storeWithRaw();
    await record(store, 'a', [header('a'), step('large', 'x'.repeat(100_000))]);
    await store.close();
    const copy = newFile();
    writeFileSync(copy, readFileSync(file));
    expect(await sqliteStore(copy).read('a')).toEqual([
      header('a'),
      step('large', 'x'.repeat(100_000)),
    ]);
  });

  it('whose pages are damaged is refused, and not reset', async () => {
    const { file, store } = storeWithRaw();
    await record(store, 'a', [header('a'), step('large', 'x'.repeat(100_000))]);
    await store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);
    expect(await codeOf(() => sqliteStore(file).read('a'))).toBe('journal_corrupt');
    expect(statSync(file).size).toBe(bytes.length);
  });

  it.skipIf(process.platform === 'win32').each([
    ['a full device', () => '/dev/full'],
    ['a folder', emptyDirectory],
    [
      'below a file',
      () => {
        const file = newFile();
        writeFileSync(file, 'x');
        return join(file, 'runs.db');
      },
    ],
    ['where nothing can be made', () => '/proc/reviewloop/runs.db'],
  ])('cannot be %s', async (_, place) => {
    const store = sqliteStore(place());
    for (const work of worksOf(store)) expect(await codeOf(work)).toBe('output_unwritable');
    expect(await codeOf(() => store.audit.record({ kind: 'answer', who: 'ann' }))).toBe(
      'audit_unwritable',
    );
    expect(await codeOf(() => store.verdicts.get('key'))).toBe('verdict_unavailable');
    expect(await store.lessons.relevantTo('tea')).toBe('');
  });

  it('that another connection holds is waited for, and then refused as busy', async () => {
    const { file, store } = storeWithRaw({ busyTimeoutMs: 300 });
    const journal = await store.open('a', true);
    const other = new Libsql(file);
    other.exec('BEGIN IMMEDIATE');
    const waiting = store.attempts.record(taskAttempt());
    setTimeout(() => other.exec('COMMIT'), 50);
    await waiting;
    expect(await store.attempts.last('TASK-001')).toMatchObject({ attempt: 1 });
    other.exec('BEGIN IMMEDIATE');
    expect(await codeOf(() => store.attempts.record(taskAttempt()))).toBe('store_busy');
    expect(await store.list()).toEqual([]);
    expect(await codeOf(async () => journal.append(header('a')))).toBe('store_busy');
    other.exec('ROLLBACK');
    expect(
      await codeOf(async () => journal.append(header('a'))),
      'nothing comes after a record that is missing',
    ).toBe('store_busy');
    await journal.close();
    await record(store, 'a', [header('a')]);
    expect(await store.read('a')).toEqual([header('a')]);
    other.close();
  });
});

describe('sqliteStore: drivers', () => {
  const other = (name: string, module: unknown) => (wanted: string) => {
    if (wanted === name) return module;
    throw new Error(`there is no ${wanted}`);
  };

  it('says what to install when there is none', async () => {
    const none = (name: string): never => {
      throw new Error(`there is no ${name}`);
    };
    await expect(findDriver(none)).rejects.toMatchObject(
      errorWith('peer_missing', /npm install libsql.*better-sqlite3.*node:sqlite/s),
    );
  });

  it.each([
    ['libsql', Libsql],
    ['better-sqlite3', Libsql],
    ['node:sqlite', { DatabaseSync: nodeSqliteDouble }],
  ])('takes %s where that is what is installed', async (name, module) => {
    const open = await findDriver(other(name, module));
    const driver = open(newFile());
    const store = sqliteStore(driver);
    await record(store, 'a', [header('a'), end('approved')]);
    expect(await store.list()).toEqual([{ runId: 'a', status: 'approved' }]);
    driver.close();
  });

  it('passes over a package that has no class', async () => {
    await expect(findDriver(other('libsql', {}))).rejects.toMatchObject({ code: 'peer_missing' });
  });

  it('maps the errors of node:sqlite as those of the others', async () => {
    const file = newFile();
    writeFileSync(file, 'no database '.repeat(500));
    expect(await codeOf(() => sqliteStore(nodeSqliteDouble(file)).list())).toBe('journal_corrupt');
  });
});

describe('sqliteStore: journals', () => {
  it('refuses a record that could not be read back, and goes on', async () => {
    const { store } = storeWithRaw();
    const journal = await store.open('a', true);
    expect(await codeOf(async () => journal.append({ type: 'step' } as never))).toBe(
      'journal_write_failed',
    );
    await journal.append(header('a'));
    await journal.close();
    expect(await codeOf(async () => journal.append(header('a')))).toBe('journal_write_failed');
    expect(await store.read('a')).toEqual([header('a')]);
  });

  it.each([
    ['a changed record', "UPDATE records SET body = replace(body, 'one', 'two') WHERE n = 1"],
    ['a record that is gone', 'DELETE FROM records WHERE n = 1'],
    ['a last record that is gone', 'DELETE FROM records WHERE n = 2'],
    [
      'records that changed places',
      'UPDATE records SET n = 9 WHERE n = 0; UPDATE records SET n = 0 WHERE n = 1; UPDATE records SET n = 1 WHERE n = 9',
    ],
  ])('refuses %s, and changes nothing', async (_, sql) => {
    const code = 'journal_corrupt';
    const { file, store } = storeWithRaw();
    await record(store, 'a', [header('a'), step('one', 1), step('two', 2)]);
    execute(file, sql);
    expect(await codeOf(() => store.read('a'))).toBe(code);
    expect(await codeOf(async () => store.open('a', true))).toBe(code);
    // it is not held by the one that was refused
    expect(await codeOf(async () => store.open('a', true))).toBe(code);
    expect(await store.list()).toEqual([{ runId: 'a', status: 'running' }]);
  });

  it('refuses a record of a type to come as newer', async () => {
    const { file, store } = storeWithRaw();
    await record(store, 'a', [header('a')]);
    const { hash } = await import('node:crypto');
    const body = '{"type":"dream","at":1}';
    execute(
      file,
      `UPDATE records SET body = '${body}', sum = '${hash('sha256', `a\n0\n${body}`).slice(0, 16)}'`,
    );
    expect(await codeOf(() => store.read('a'))).toBe('journal_newer');
  });

  it('fences a writer whose run was taken over: it is told by its heartbeat, and writes nothing', async () => {
    const { file, store } = storeWithRaw({ heartbeatMs: 5, patienceMs: 50 });
    const journal = await store.open('a', true);
    await journal.append(header('a'));
    const lost = new Promise((resolve) => journal.onLost?.(resolve));
    execute(file, "UPDATE writers SET epoch = epoch + 1, holder = 'another'");
    expect(await lost).toMatchObject({ code: 'journal_fenced' });
    expect(await codeOf(async () => journal.append(step('late', 1)))).toBe('journal_fenced');
    expect(await codeOf(async () => journal.review?.({} as never))).toBe('journal_fenced');
    await journal.close();
    expect(await store.read('a')).toEqual([header('a')]);
    expect(rawly(file, 'SELECT holder, released_at FROM writers')).toEqual([
      { holder: 'another', released_at: null },
    ]);
  });

  it('follows a writer of another machine only when it is silent', async () => {
    const { file, store } = storeWithRaw({ heartbeatMs: 5, patienceMs: 30 });
    await record(store, 'a', [header('a')]);
    execute(file, "UPDATE writers SET released_at = NULL, place = 'elsewhere', beat_at = 1");
    const journal = await store.open('a', true);
    expect(journal.records).toHaveLength(1);
    await journal.close();
    execute(
      file,
      `UPDATE writers SET released_at = NULL, place = 'elsewhere', holder = 'x', beat_at = ${Date.now() + 3_600_000}`,
    );
    const beating = setInterval(() => execute(file, 'UPDATE writers SET beat_at = beat_at + 1'), 5);
    expect(await codeOf(async () => store.open('a', true))).toBe('run_busy');
    clearInterval(beating);
  });

  it('follows a writer of this machine at once when its process is gone', async () => {
    const { file, store } = storeWithRaw();
    await record(store, 'a', [header('a')]);
    execute(file, "UPDATE writers SET released_at = NULL, holder = 'gone', pid = 4194304");
    await record(store, 'a', [end('approved')]);
    expect(await store.list()).toEqual([{ runId: 'a', status: 'approved' }]);
  });

  it('prunes runs that have ended, and leaves those that run, wait or are held', async () => {
    const { store, raw } = storeWithRaw();
    for (const [runId, status] of [
      ['old', 'approved'],
      ['waits', 'suspended'],
      ['held', 'approved'],
      ['new', 'failed'],
    ] as const) {
      await record(store, runId, [
        header(runId),
        { ...end(status), at: runId === 'new' ? 1000 : 3 } as never,
      ]);
    }
    await record(store, 'runs', [header('runs')]);
    const held = await store.open('held', true);
    const clock = { now: () => 2000 } as never;
    expect(await store.prune({ olderThanMs: 1500, keep: 1, clock })).toEqual(['old']);
    expect((await store.list()).map(({ runId }) => runId)).toEqual([
      'waits',
      'held',
      'new',
      'runs',
    ]);
    expect(raw("SELECT count(*) AS n FROM records WHERE run_id = 'old'")).toEqual([{ n: 0 }]);
    await held.close();
    expect(await codeOf(() => store.prune({ olderThanMs: -1 }))).toBe('invalid_options');
  });
});

it('sqliteStore answers questions with rows, and refuses what would change something [R2-118]', async () => {
  const { store, file } = storeWithRaw();
  const attached = `${file}-attached`;
  await record(store, 'a', [header('a')]);
  expect(await store.query('SELECT run_id FROM runs WHERE run_id = ?', 'a')).toEqual([
    { run_id: 'a' },
  ]);
  for (const sql of [
    'DELETE FROM runs',
    "UPDATE runs SET status = 'approved'",
    'PRAGMA user_version = 9',
    'DROP TABLE runs',
    'BEGIN',
    'COMMIT',
    'nonsense',
    '',
    `ATTACH '${attached}' AS other`,
    `-- a note\n/* and */ ;attach '${attached}' AS other`,
    `VACUUM INTO '${attached}'`,
    'PRAGMA query_only = OFF',
    'DETACH main',
    'REINDEX',
    "WITH one AS (SELECT 1) INSERT INTO runs (run_id) SELECT 'x'",
  ]) {
    expect(await codeOf(() => store.query(sql)), sql).toBe('invalid_options');
  }
  expect(existsSync(attached)).toBe(false);
  for (const sql of [
    '/* a note */ values (1)',
    'EXPLAIN SELECT 1',
    'WITH a AS (SELECT 1) SELECT * FROM a',
  ])
    expect(await store.query(sql), sql).not.toEqual([]);
  for (const values of [[null], [Number.NaN], ['\u0000'], [Buffer.from('x')], [{}]])
    expect(await codeOf(() => store.query('SELECT ?', ...(values as never[])))).toBe(
      'invalid_options',
    );
  await record(store, 'a', [step('one', 1)]);
  expect(await store.list()).toEqual([{ runId: 'a', status: 'running' }]);
});

it('sqliteStore: the audit log is chained, verified, and shows what was changed, cut short or expected', async () => {
  const { file, store } = storeWithRaw();
  await record(store, 'a', [header('a')]);
  const marks = await Promise.all(
    ['one', 'two', 'three'].map((reason) =>
      store.audit.record({ kind: 'override', who: 'ann', runId: 'a', reason }),
    ),
  );
  expect(marks.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(await store.verifyAudit({ expect: marks })).toEqual({
    intact: true,
    records: 3,
    head: marks[2],
    torn: false,
    problems: [],
  });
  execute(file, 'CREATE TABLE saved AS SELECT * FROM audit; DELETE FROM audit WHERE seq = 3');
  expect(await store.verifyAudit()).toMatchObject({
    intact: false,
    problems: [{ problem: 'missing', what: expect.stringContaining('run a') }],
  });
  execute(
    file,
    "INSERT INTO audit SELECT * FROM saved WHERE seq = 3; UPDATE audit SET line = replace(line, 'two', '2') WHERE seq = 2; DROP TABLE saved",
  );
  expect(await store.verifyAudit()).toMatchObject({
    intact: false,
    records: 3,
    problems: [{ line: 2, problem: 'changed' }],
  });
  execute(file, "UPDATE audit SET line = 'nonsense' WHERE seq = 3");
  expect(await codeOf(() => store.audit.record({ kind: 'override', who: 'ann' }))).toBe(
    'audit_corrupt',
  );
  expect(await codeOf(() => store.audit.record({ kind: '', who: 'ann' }))).toBe('invalid_options');
  expect(await codeOf(() => store.verifyAudit({ expect: [{}] } as never))).toBe('invalid_options');
});

it('sqliteStore: verdicts that are damaged are typed errors, and old ones are pruned', async () => {
  const { file, store } = storeWithRaw();
  const verdict = (at: number): StoredVerdict => ({
    schema: 1,
    about: { reviewer: 'tone', version: '1', task: 't', view: 'v' },
    assessments: [{ verdict: 'pass', criterion: 'c', score: 1, explanation: '', gaps: [] }],
    usage: {},
    at,
  });
  await store.verdicts.put('a', verdict(1));
  await store.verdicts.put('b', verdict(1000));
  await store.verdicts.put('c', verdict(2000));
  execute(file, "UPDATE verdicts SET body = replace(body, 'tone', 'tune') WHERE key = 'b'");
  expect(await codeOf(() => store.verdicts.get('b'))).toBe('verdict_corrupt');
  const clock = { now: () => 3000 } as never;
  expect(await store.pruneVerdicts({ olderThanMs: 2500, clock })).toBe(1);
  expect(await store.pruneVerdicts({ olderThanMs: 2500, max: 1, clock })).toBe(1);
  expect(await store.query('SELECT key FROM verdicts')).toEqual([{ key: 'c' }]);
});

it('sqliteStore: lessons that are damaged are logged, and told again once they are sound', async () => {
  const { warnings, logger } = warningLogger();
  const { file, store } = storeWithRaw({ logger });
  execute(file, '');
  await store.list();
  execute(
    file,
    "INSERT INTO lessons (at, run, key, agent, title, summary, line) VALUES ('', '', '', '', '', '', '{}')",
  );
  expect(await store.lessons.relevantTo('tea')).toBe('');
  expect(warnings).toEqual([
    expect.objectContaining({ database: file, error: expect.stringContaining('lesson 1') }),
  ]);
  await expect(store.lessons.lessons()).rejects.toMatchObject({ code: 'journal_corrupt' });
});

it('lists the runs that wait from an index, whatever their number', async () => {
  const store = sqliteStore(newFile());
  const plan = await store.query(
    `EXPLAIN QUERY PLAN SELECT run_id, changed_at, pipeline FROM runs
     WHERE status = 'suspended' AND (changed_at, run_id) < (1, 'a')
     ORDER BY changed_at DESC, run_id DESC LIMIT 25`,
  );
  expect(JSON.stringify(plan)).toContain('runs_by_status_time');
  expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
  await store.close();
});

describe('attempts in a database', () => {
  it('have a number over all runs of their task beside the one in their run', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(taskAttempt({ runId: 'one' }));
    await store.attempts.record(taskAttempt({ runId: 'one', attempt: 2 }));
    await store.attempts.record(taskAttempt({ runId: 'two' }));
    await store.attempts.record(taskAttempt({ taskId: 'TASK-002' }));
    expect(
      raw('SELECT task_id, attempt, run_id, run_attempt FROM attempts ORDER BY task_id, attempt'),
    ).toEqual([
      { task_id: 'TASK-001', attempt: 1, run_id: 'one', run_attempt: 1 },
      { task_id: 'TASK-001', attempt: 2, run_id: 'one', run_attempt: 2 },
      { task_id: 'TASK-001', attempt: 3, run_id: 'two', run_attempt: 1 },
      { task_id: 'TASK-002', attempt: 1, run_id: 'r1', run_attempt: 1 },
    ]);
  });

  it('have a review_status of null, passed, fixed, failed, skipped or rejected, and of what is no verdict [P4-16]', async () => {
    const { store, raw } = storeWithRaw();
    const verdicts = ['passed', 'fixed', 'failed', 'skipped', 'rejected'] as const;
    const statuses = [null, ...verdicts, 'not_run', 'error'] as const;
    for (const reviewStatus of statuses)
      await store.attempts.record(taskAttempt({ taskId: `${reviewStatus}`, reviewStatus }));
    expect(raw('SELECT task_id, review_status FROM attempts')).toEqual(
      statuses.map((status) => ({ task_id: `${status}`, review_status: status })),
    );
  });

  /** What columns of the table tell of an attempt. */
  const columnsOf = async (columns: string, attempt: Partial<TaskAttempt>) => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(taskAttempt(attempt));
    return Object.values(raw(`SELECT ${columns} FROM attempts`)[0] as object);
  };

  it('keep at most 2 KB of the findings, never half a character [P4-17]', async () => {
    const bytes = 'review_findings, length(CAST(review_findings AS BLOB))';
    const long = { reviewFindings: `x${'😀'.repeat(1000)}` };
    expect(await columnsOf(bytes, long)).toEqual([`x${'😀'.repeat(511)}`, 2045]);
    expect(await columnsOf('review_findings', {})).toEqual([null]);
  });

  it('keep what the machine said beside what the person decided [D002-05]', async () => {
    const person = {
      humanDecision: 'approve',
      decidedBy: 'ann',
      decisionReason: 'read it',
    } as const;
    const machine = {
      machineVerdict: 'failed',
      reviewStatus: 'passed',
      reviewFindings: 'no',
    } as const;
    const columns =
      'machine_verdict, human_decision, human_by, human_reason, review_status, review_findings';
    const kept = ['failed', 'approve', 'ann', 'read it', 'passed', 'no'];
    expect(await columnsOf(columns, { ...person, ...machine })).toEqual(kept);
  });

  it('tell a review that a person skipped from one that did not run [D002-06]', async () => {
    const { store, raw } = storeWithRaw();
    await store.attempts.record(
      taskAttempt({
        taskId: 'person',
        machineVerdict: 'failed',
        humanDecision: 'skip',
        reviewStatus: 'skipped',
      }),
    );
    await store.attempts.record(
      taskAttempt({ taskId: 'timeout', machineVerdict: 'not_run', reviewStatus: 'not_run' }),
    );
    expect(raw("SELECT task_id FROM attempts WHERE human_decision = 'skip'")).toEqual([
      { task_id: 'person' },
    ]);
    expect(raw("SELECT task_id FROM attempts WHERE machine_verdict = 'not_run'")).toEqual([
      { task_id: 'timeout' },
    ]);
  });

  it('have NULL for what is not known, never 0', async () => {
    const usage = {
      reviewUsage: { inputTokens: 10, costUsd: 0.5 },
      reviewDurationMs: 7,
      issues: 0,
    };
    const columns = 'input_tokens, output_tokens, cost_usd, review_duration_ms, review_issues';
    expect(await columnsOf(columns, usage)).toEqual([10, null, 0.5, 7, 0]);
  });

  it('take hostile texts as they are, but for what no database takes', async () => {
    const { store } = storeWithRaw();
    await store.attempts.record(
      taskAttempt({
        taskId: 'it\'s "quoted" 🙂',
        error: "'); DROP TABLE attempts; -- \u0000 \ud800 😀",
      }),
    );
    expect(await store.attempts.last('it\'s "quoted" 🙂')).toMatchObject({
      error: "'); DROP TABLE attempts; -- \ufffd \ufffd 😀",
    });
  });

  it('are read as failed where another program ended them in words of its own, and refused where they are damaged', async () => {
    const { file, store } = storeWithRaw();
    await store.attempts.record(taskAttempt());
    execute(file, "UPDATE attempts SET status = 'aborted', error = 'out of memory'");
    expect(await store.attempts.last('TASK-001')).toMatchObject({
      status: 'failed',
      error: 'out of memory',
    });
    for (const wrong of ["at = 'yesterday'", "review_status = 'fine'", 'run_attempt = 0']) {
      execute(file, `UPDATE attempts SET ${wrong}`);
      await expect(store.attempts.of('TASK-001'), wrong).rejects.toMatchObject({
        code: 'journal_corrupt',
      });
    }
  });
});

it('a run that goes on has no end in its row', async () => {
  const { store } = storeWithRaw();
  await record(store, 'a', [header('a'), end('suspended')]);
  await record(store, 'a', [step('one')]);
  const rows = await store.query('SELECT status, code, ended_at, pipeline, records FROM runs');
  expect(rows).toEqual([
    { status: 'running', code: null, ended_at: null, pipeline: 'test', records: 3 },
  ]);
});
