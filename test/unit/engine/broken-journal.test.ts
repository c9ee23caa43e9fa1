import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  ReviewLoopError,
  type Store,
} from '../../../src/index.js';
import type { Journal, JournalRecord } from '../../../src/ports/store.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const text = z.string();

/** A store whose journals a test changes. */
function changed(change: (journal: Journal) => Partial<Journal>): Store {
  const inner = memoryStore();
  return {
    ...inner,
    open: async (runId, keep) => {
      const journal = await inner.open(runId, keep);
      return { ...journal, records: journal.records, ...change(journal) };
    },
  };
}

/** A store that refuses records of a type, at once or later. */
const refusing = (type: JournalRecord['type'], error: unknown, isLate: boolean) =>
  changed((journal) => ({
    append: (record) => {
      if (record.type !== type) return journal.append(record);
      if (isLate) return Promise.reject(error);
      throw error;
    },
  }));

const run = (store: Store, more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [reviewer('r', async () => [passed('r')])],
    store,
    ...more,
  }).run('task', { runId: 'r' });

describe('a journal that refuses a record', () => {
  const full = new Error('disk full');
  const lost = new ReviewLoopError('run_conflict', 'another one writes');

  it.each(['run', 'step', 'end'] as const)('makes the run fail: %s', async (type) => {
    for (const isLate of [false, true]) {
      expect(await run(refusing(type, full, isLate))).toMatchObject({
        status: 'failed',
        code: 'journal_write_failed',
        approved: false,
        error: { cause: full, message: expect.stringContaining('disk full') },
      });
      const outcome = await run(refusing(type, lost, isLate));
      expect(outcome).toMatchObject({ status: 'failed', code: 'run_conflict' });
      expect(outcome.error).toBe(lost);
    }
  });

  it('gives the version back that it could not record the end of', async () => {
    expect(await run(refusing('end', full, true))).toMatchObject({ output: 'x' });
  });

  it('gives no outcome as approved whose review it could not store', async () => {
    const store = changed(() => ({ review: () => Promise.reject(full) }));
    expect(await run(store)).toMatchObject({ status: 'failed', code: 'journal_write_failed' });
  });
});

describe('a journal that tells that another writer took the run over', () => {
  it('ends the run, and the calls in progress', async () => {
    const lost = new ReviewLoopError('run_conflict', 'taken over');
    let tell: (error: ReviewLoopError) => void = () => {};
    const signals: AbortSignal[] = [];
    const store = changed(() => ({
      onLost: (callback) => {
        tell = callback;
      },
    }));
    const outcome = await run(store, {
      produce: (_, { signal }) => {
        signals.push(signal);
        tell(lost);
        return new Promise(() => {});
      },
    });
    expect(outcome).toMatchObject({ status: 'failed', code: 'run_conflict' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('the end that is recorded', () => {
  it('has the status, the code, the time and the usage that no step contains', async () => {
    const store = memoryStore();
    const clock = fakeClock(5000);
    await run(store, {
      clock,
      reviewers: [
        reviewer('r', async (_, context) => {
          context.reportUsage({ totalTokens: 3 });
          return [failed('r')];
        }),
      ],
    });
    expect((await store.read('r'))?.at(-1)).toEqual({
      type: 'end',
      status: 'exhausted',
      code: 'no_address',
      usage: { 'iter:1/review:r': { totalTokens: 3 } },
      at: 5000,
    });
  });

  it('says nothing of usage where there was none, and names the questions that wait', async () => {
    const store = memoryStore();
    const clock = fakeClock(5000);
    const outcome = suspended(await run(store, { clock, human: { policy: 'require' } }));
    expect((await store.read('r'))?.at(-1)).toEqual({
      type: 'end',
      status: 'suspended',
      code: 'waiting',
      waits: outcome.requests.map(({ id }) => id),
      at: 5000,
    });
  });
});

describe('the record of a step', () => {
  it('is replayed for the same input only', async () => {
    const store = memoryStore();
    const made: unknown[] = [];
    const once = (input: unknown) =>
      run(store, {
        reviewers: [
          reviewer('r', async (_, context) => {
            await context.step('s', { input, schema: text }, async () => {
              made.push(input);
              return 'x';
            });
            return [passed('r')];
          }),
        ],
      });
    await once({ a: 1 });
    await once({ a: 1 });
    await once({ a: 2 });
    expect(made).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('counts the attempts that failed, over all tries and processes', async () => {
    const store = memoryStore();
    const attempts: number[] = [];
    const keys = new Set<string>();
    const once = () =>
      run(store, {
        retries: 1,
        reviewers: [
          reviewer('r', async (_, context) => {
            await context.step('s', { input: 0, schema: text }, async ({ attempt, key }) => {
              attempts.push(attempt);
              keys.add(key);
              throw new Error('down');
            });
            return [passed('r')];
          }),
        ],
      });
    await once();
    await once();
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(keys.size).toBe(1);
  });
});
