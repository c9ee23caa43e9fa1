import { readFileSync } from 'node:fs';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeErrors } from '@/adapters/stores/errors.js';
import { databaseError, isBusy } from '@/adapters/stores/sqlite/connection.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { migrations, schemaVersion } from '@/adapters/stores/sqlite/migrations.js';
import { stateOf } from '@/adapters/stores/sqlite/run-writer.js';
import { ReviewLoopError } from '@/core/errors.js';
import { definePipeline } from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { type FilledDatabase, filledDatabase } from '../../../support/filled-database.js';
import { errorWith } from '../../../support/matchers.js';
import { taskAttempt } from '../../../support/task-attempt.js';
import { review } from '../../blocks/lessons/lesson-support.js';
import { failed, reviewer } from '../../engine/support.js';
import { end, header, record } from './file-support.js';
import { execute, newFile, rawly } from './sqlite-support.js';

const otherwise = { error: 'journal_write_failed', what: 'cannot be written' } as const;
const errorOf = (error: unknown): unknown => databaseError('runs.db', error, otherwise);

const fault = (more: object): Error => Object.assign(new Error('locked'), more);
const unopened = (number: number) => new Error(`ConnectionFailed("Unable to open: ${number}")`);

describe('errors of drivers', () => {
  it.each([
    ['libsql, by its code', fault({ code: 'SQLITE_BUSY_SNAPSHOT' }), 'store_busy'],
    ['node:sqlite, by its extended number', fault({ errcode: 5 | (2 << 8) }), 'store_busy'],
    ['node:sqlite, of what is no database', fault({ errcode: 26 }), 'journal_corrupt'],
    ['node:sqlite, by another number', fault({ errcode: 1 }), 'journal_write_failed'],
    ['libsql when it connects', unopened(11), 'journal_corrupt'],
    ['libsql when it connects, by another number', unopened(1), 'journal_write_failed'],
    ['an error of another kind', new Error('disk gone'), 'journal_write_failed'],
    ['what is no error', 'disk gone', 'journal_write_failed'],
  ])('of %s', (_, error, code) => {
    expect(errorOf(error)).toMatchObject({ code, cause: error, value: 'runs.db' });
    expect(isBusy(error)).toBe(code === 'store_busy');
  });

  it('ours stay as they are', () => {
    const own = new ReviewLoopError(storeErrors.journal_fenced, 'x');
    expect(errorOf(own)).toBe(own);
  });
});

describe('who has a run', () => {
  const elsewhere: Parameters<typeof stateOf>[0] = {
    ...{ epoch: 1, holder: 'h', pid: 1, place: 'another machine', beat_at: 0, released_at: null },
  };
  const at = (now: number, watched?: typeof elsewhere) =>
    stateOf(elsewhere, { clock: fakeClock(now), patienceMs: 100 }, watched);

  it('on another machine is watched before it is taken over, whichever way its clock differs', () => {
    expect(at(50)).toBe('held');
    expect(at(5000)).toBe('watch');
    expect(at(5000, elsewhere)).toBe('free');
    expect(at(5000, { ...elsewhere, beat_at: -1 })).toBe('held');
    expect(at(5000, { ...elsewhere, holder: 'another' })).toBe('watch');
  });

  it('and let go of it leaves it free at once', () => {
    expect(stateOf({ ...elsewhere, released_at: 1 }, { clock: fakeClock(), patienceMs: 100 })).toBe(
      'free',
    );
  });
});

const columnsOf = (file: string): unknown[] =>
  rawly(file, "SELECT name, type FROM pragma_table_info('attempts')");
const schemaOf = (file: string): unknown[] =>
  rawly(file, 'SELECT name, sql FROM sqlite_schema ORDER BY name');

describe('a database without the columns of reviews', () => {
  const oldTable =
    'CREATE TABLE attempts (task_id TEXT NOT NULL, attempt INTEGER NOT NULL, status TEXT, error TEXT, started_at INTEGER, duration_ms INTEGER, at INTEGER)';

  it('gets review_status TEXT and review_findings TEXT, keeps its rows, and is migrated a second time without a change [P4-18]', async () => {
    const file = newFile();
    const rows =
      "('TASK-001', 1, 'failed', 'no tests', 1, 2, 3), ('TASK-001', 2, 'success', NULL, 4, 5, 6)";
    execute(file, `${oldTable}; INSERT INTO attempts VALUES ${rows}`);
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
    expect(await refusal(file)).toMatchObject(
      errorWith('journal_newer', `version ${schemaVersion + 1}`),
    );
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
    expect(await refusal(file)).toMatchObject(errorWith('store_foreign', 'trigger quiet'));
  });

  it('with a version below zero is refused', async () => {
    const file = newFile();
    execute(file, 'PRAGMA user_version = -3');
    expect(await refusal(file)).toMatchObject({ code: 'journal_corrupt' });
  });
});

describe('the tables of a database in which pipelines have run', () => {
  let filled: FilledDatabase;
  beforeAll(async () => {
    filled = await filledDatabase(newFile());
  });
  afterAll(() => filled.store.close());

  it('have the end of every run as its outcome tells it', async () => {
    const { mended, answered, waiting, overridden, inconclusive } = filled;
    expect(
      await filled.store.query('SELECT run_id, status, code FROM runs ORDER BY rowid'),
    ).toEqual(
      [mended, answered, waiting, overridden, inconclusive].map(({ runId, status, code }) => ({
        run_id: runId,
        status,
        code,
      })),
    );
    expect(mended.status).toBe('approved');
  });

  it('have every review and gap of the outcomes, once', async () => {
    const { mended, answered, waiting, overridden, inconclusive } = filled;
    for (const { runId, reviews } of [mended, answered, waiting, overridden, inconclusive]) {
      const told = await filled.store.query(
        'SELECT iteration, version, overall, decision, complete FROM reviews WHERE run_id = ? ORDER BY iteration',
        runId,
      );
      expect(told).toEqual(
        reviews.map(({ iteration, version, scores, decision, complete }) => ({
          iteration,
          version,
          overall: scores.overall,
          decision: decision.kind,
          complete: Number(complete),
        })),
      );
      const gaps = await filled.store.query(
        'SELECT iteration, id, severity, description, file, line, lifecycle, fixed FROM gaps WHERE run_id = ? ORDER BY iteration, n',
        runId,
      );
      const rows = reviews.flatMap((review) => [
        ...review.gaps.map((gap) => ({ review, gap, fixed: 0 })),
        ...review.fixed.map((gap) => ({ review, gap, fixed: 1 })),
      ]);
      expect(gaps).toEqual(
        rows.map(({ review, gap, fixed }) => ({
          ...{
            iteration: review.iteration,
            id: gap.id,
            severity: gap.severity,
            description: gap.description,
            lifecycle: gap.lifecycle,
            fixed,
          },
          ...{ file: gap.location?.file ?? null, line: gap.location?.line ?? null },
        })),
      );
    }
  });

  it('have the usage of every paid step', async () => {
    const [row] = await filled.store.query(
      "SELECT sum(input_tokens) AS tokens, sum(cost_usd) AS usd FROM steps WHERE run_id = 'mended'",
    );
    expect(row).toEqual({
      tokens: filled.mended.usage.review.inputTokens,
      usd: filled.mended.usage.review.costUsd,
    });
  });

  it('have questions, answers and decisions, in an unbroken log', async () => {
    expect(
      await filled.store.query('SELECT run_id, kind, who, reason FROM answers ORDER BY rowid'),
    ).toEqual([
      { run_id: 'answered', kind: 'override', who: 'ann', reason: 'the client likes it loud' },
      { run_id: 'overridden', kind: 'override', who: 'bob', reason: 'good enough' },
    ]);
    expect(
      await filled.store.query('SELECT run_id, question FROM questions ORDER BY rowid'),
    ).toEqual([
      { run_id: 'answered', question: 'ship it?' },
      { run_id: 'waiting', question: 'ship it?' },
    ]);
    expect(await filled.store.verifyAudit()).toMatchObject({ intact: true, records: 2 });
  });

  it('have lessons that the next run is told', async () => {
    expect(await filled.store.query('SELECT count(*) > 0 AS some FROM lessons')).toEqual([
      { some: 1 },
    ]);
    expect(await filled.store.lessons.relevantTo('tea')).toContain('too loud');
  });
});

it('the duration of a review is that of its judges, also after an answer replayed it [R2-066]', async () => {
  const filled = await filledDatabase(newFile());
  const { store } = filled;
  const durations = () =>
    store.query("SELECT duration_ms FROM reviews WHERE run_id = 'timed' ORDER BY iteration");
  const took = async (durationMs: number, version = 'v'): Promise<void> => {
    const journal = await store.open('timed', true);
    await journal.review?.({ ...review(1, 0.5, []), durationMs, version });
    await journal.close();
  };
  await took(1500);
  await took(2);
  expect(await durations()).toEqual([{ duration_ms: 1500 }]);
  await took(7, 'other');
  expect(await durations()).toEqual([{ duration_ms: 7 }]);
  await store.close();
});

it('a journal that cannot take a review makes the run fail, as one that cannot take a record', async () => {
  const filled = await filledDatabase(newFile());
  const { store } = filled;
  const open = async (runId: string, keep: boolean) => {
    const journal = await store.open(runId, keep);
    return {
      records: journal.records,
      append: journal.append.bind(journal),
      close: journal.close.bind(journal),
      review: () => Promise.reject(new Error('the disk is full')),
    };
  };
  const pipeline = definePipeline({
    store: { ...store, open },
    produce: async () => 'tea',
    criteria: { fine: () => true },
  });
  expect(await pipeline.run('tea', { runId: 'x' })).toMatchObject({
    status: 'failed',
    approved: false,
    code: 'journal_write_failed',
  });
  await store.close();
});

it('the texts of a model in a database contain nothing that controls a terminal [R2-078]', async () => {
  const raw = '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u202etxt\u202c';
  const store = sqliteStore(newFile());
  const described = failed('judge', `description ${raw}`, {
    suggestedFix: `fix ${raw}`,
    evidence: `evidence ${raw}`,
  });
  const judged = { ...described, explanation: `explanation ${raw}` };
  const pipeline = definePipeline<string, string>({
    produce: async () => raw,
    reviewers: [reviewer('judge', async () => [judged])],
    human: { policy: 'require' },
    audit: store.audit,
    store,
  });
  const first = await pipeline.run('task', { runId: 'r' });
  if (first.status === 'suspended' && first.requests[0] !== undefined)
    await pipeline.answer(first.requests[0], { kind: 'reject', by: 'ann', reason: `no ${raw}` });
  const shown = JSON.stringify([
    await store.query('SELECT description, suggested_fix, evidence FROM gaps'),
    await store.query('SELECT explanation FROM assessments'),
    await store.query('SELECT reason FROM reviews'),
    await store.query('SELECT reason FROM audit'),
  ]);
  expect(shown).toContain('description red ');
  expect(shown).not.toMatch(/\\u001b|\\u0007|[\u202a-\u202e]/);
  await store.close();
});
