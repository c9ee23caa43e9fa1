import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { sqliteStore } from '../../../src/stores/sqlite/index.js';
import { type FilledDatabase, filledDatabase } from '../../support/filled-database.js';
import { review } from '../lessons/lesson-support.js';
import { newFile } from './sqlite-support.js';

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

describe('the duration of a review', () => {
  it('is that of its judges, also after an answer replayed it [R2-066]', async () => {
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
});

describe('a journal that cannot take a review', () => {
  it('makes the run fail, as one that cannot take a record', async () => {
    const filled = await filledDatabase(newFile());
    const { store } = filled;
    const refusing = {
      ...store,
      open: async (runId: string, keep: boolean) => {
        const journal = await store.open(runId, keep);
        return {
          records: journal.records,
          append: journal.append.bind(journal),
          close: journal.close.bind(journal),
          review: async () => {
            throw new Error('the disk is full');
          },
        };
      },
    };
    const pipeline = definePipeline({
      store: refusing,
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
});

describe('the texts of a model in a database', () => {
  it('contain nothing that controls a terminal [R2-078]', async () => {
    const raw = '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u202etxt\u202c';
    const store = sqliteStore(newFile());
    const gap = {
      id: '',
      severity: 'major',
      category: 'quality',
      description: `description ${raw}`,
      suggestedFix: `fix ${raw}`,
      estimatedEffort: 'small',
      autoFixable: false,
      evidence: `evidence ${raw}`,
    } as const;
    const pipeline = definePipeline<string, string>({
      produce: async () => raw,
      reviewers: [
        {
          id: 'judge',
          version: '1',
          tier: 'code',
          review: async () => [
            {
              verdict: 'fail',
              criterion: 'judge',
              score: 0,
              explanation: `explanation ${raw}`,
              gaps: [gap],
            },
          ],
        },
      ],
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
});
