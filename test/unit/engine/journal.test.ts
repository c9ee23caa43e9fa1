import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { boundedJournal } from '@/engine/bounded-journal.js';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  ReviewLoopError,
  type Store,
} from '@/index.js';
import { type Clock, systemClock } from '@/ports/clock.js';
import { silentLogger } from '@/ports/logger.js';
import type { Journal, JournalRecord } from '@/ports/store.js';
import { fakeClock, settle } from '@/testing/index.js';
import {
  deferred,
  failed,
  failsWith,
  keeping,
  never,
  passing,
  pipelineOf,
  reviewer,
  storeWith,
  suspended,
  turns,
  until,
  working,
} from './support.js';

const text = z.string();

/** A store that refuses records of a type, at once or later. */
const refusing = (type: JournalRecord['type'], error: unknown, isLate: boolean) =>
  storeWith((journal) => ({
    append: (record) => {
      if (record.type !== type) return journal.append(record);
      if (isLate) return Promise.reject(error);
      throw error;
    },
  }));

const run = (store: Store, more: Partial<PipelineOptions<string, string>> = {}) =>
  pipelineOf({ reviewers: [passing('r')], store, ...more }).run('task', { runId: 'r' });

describe('a journal that refuses a record', () => {
  const full = new Error('disk full');
  const lost = new ReviewLoopError('run_conflict', 'another one writes');

  it.each(['run', 'step', 'end'] as const)('makes the run fail: %s', async (type) => {
    for (const isLate of [false, true]) {
      expect(await run(refusing(type, full, isLate))).toMatchObject({
        status: 'failed',
        code: 'journal_write_failed',
        approved: false,
        ...(type !== 'run' && { output: 'x' }),
        error: { cause: full, message: expect.stringContaining('disk full') },
      });
      const outcome = await run(refusing(type, lost, isLate));
      expect(outcome).toMatchObject({ status: 'failed', code: 'run_conflict' });
      expect(outcome.error).toBe(lost);
    }
  });

  it('gives no outcome as approved whose review it could not store', async () => {
    const store = storeWith(() => ({ review: () => Promise.reject(full) }));
    expect(await run(store)).toMatchObject({ status: 'failed', code: 'journal_write_failed' });
  });
});

it('a journal that tells that another writer took the run over ends the run, and the calls in progress', async () => {
  const lost = new ReviewLoopError('run_conflict', 'taken over');
  let tell: (error: ReviewLoopError) => void = () => {};
  const signals: AbortSignal[] = [];
  const store = storeWith(() => ({
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
  expect(signals).toMatchObject([{ aborted: true, reason: lost }]);
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

it('the record of a step counts the attempts that failed, over all tries and processes', async () => {
  const store = memoryStore();
  const attempts: number[] = [];
  const keys = new Set<string>();
  const once = () =>
    run(store, {
      retries: 1,
      reviewers: [
        working('r', (context) =>
          context.step('s', { input: 0, schema: text }, async ({ attempt, key }) => {
            attempts.push(attempt);
            keys.add(key);
            throw new Error('down');
          }),
        ),
      ],
    });
  await once();
  await once();
  expect(attempts).toEqual([1, 2, 3, 4]);
  expect(keys.size).toBe(1);
});

/** A pipeline over a store, and what it logs as errors. */
function over(store: Store, more: Partial<PipelineOptions<string, string>> = {}) {
  const errors: unknown[] = [];
  const pipeline = pipelineOf({
    criteria: { a: () => true },
    store,
    logger: { ...silentLogger, error: (data) => void errors.push(data) },
    ...more,
  });
  return { errors, pipeline };
}

describe('the journal of a run', () => {
  it('that cannot be closed is told of, and the outcome stays', async () => {
    const close = () => Promise.reject(new Error('still locked'));
    const { errors, pipeline } = over(storeWith(() => ({ close })));
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'approved' });
    expect(errors).toEqual([{ run: 'r', error: 'still locked' }]);
  });

  it('that never opens keeps no run that is cancelled, which has done and used nothing', async () => {
    const controller = new AbortController();
    const open = () => {
      setImmediate(() => controller.abort(new Error('stop')));
      return never<never>();
    };
    const { pipeline } = over({ ...memoryStore(), open });
    const outcome = await pipeline.run('task', { runId: 'r', signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'cancelled', output: undefined });
    expect(outcome.reviews).toEqual([]);
    expect(outcome.usage).toEqual({ produce: {}, review: {}, address: {} });
  });

  it('that does not open in time after the run was cancelled ends it as cancelled', async () => {
    const clock = fakeClock();
    const { pipeline } = over({ ...memoryStore(), open: () => never() }, { clock });
    const signal = AbortSignal.abort(new Error('stop'));
    const running = pipeline.run('task', { runId: 'r', signal });
    await clock.advanceAsync(10_000);
    expect(await running).toMatchObject({ status: 'cancelled', output: undefined });
  });

  it('that does not exist is a mistake, also of a call that was cancelled before', async () => {
    const { read, list, open } = memoryStore();
    const { pipeline } = over({ read, list, open });
    const signal = AbortSignal.abort(new Error('stop'));
    await failsWith(pipeline.resume('none', { signal }), 'run_unknown');
  });
});

/** A store that is not in memory: a test may replace parts of its journal. */
const laterStore = (change: (journal: Journal) => Partial<Journal>) =>
  storeWith((journal) => ({
    append: async (record) => journal.append(record),
    close: async () => journal.close(),
    ...change(journal),
  }));

const pipelineOn = (store: Store, clock: Clock = systemClock) => pipelineOf({ store, clock });

/** A run, and whether it is over. */
function watched<Value>(run: Promise<Value>) {
  let isOver = false;
  const running = run.finally(() => {
    isOver = true;
  });
  return { running, isOver: () => isOver };
}

/** Aborts a run while the store writes its first step, which a test lets go. */
async function cancelledWhileWriting() {
  const writing = deferred<void>();
  const begun = deferred<void>();
  const closing = deferred<void>();
  const stop = new AbortController();
  const closes: string[] = [];
  const store = laterStore((journal) => ({
    append: async (record) => {
      if (record.type === 'step') {
        begun.resolve();
        await writing.promise;
      }
      await journal.append(record);
    },
    close: async () => {
      closes.push('begun');
      await closing.promise;
      await journal.close();
      closes.push('ended');
    },
  }));
  const run = watched(pipelineOn(store).run('task', { runId: 'r', signal: stop.signal }));
  await begun.promise;
  stop.abort();
  await turns(20);
  return { store, ...run, writing, closing, closes };
}

describe('a run that ends while its store writes', () => {
  it('waits for that call, records the end, and waits until the journal is closed', async () => {
    const { store, running, writing, closing, closes, isOver } = await cancelledWhileWriting();
    expect(closes).toEqual([]);
    writing.resolve();
    await until(() => closes.length > 0);
    await turns(20);
    expect(isOver()).toBe(false);
    closing.resolve();
    expect(await running).toMatchObject({ status: 'cancelled' });
    const records = (await store.read('r')) ?? [];
    expect(records.map(({ type }) => type)).toEqual(['run', 'step', 'end']);
    expect(closes).toEqual(['begun', 'ended']);
  });
});

it('a run whose store answers no more waits two seconds for it, and closes the journal without waiting', async () => {
  const clock = fakeClock();
  const begun = deferred<void>();
  const stop = new AbortController();
  const calls: string[] = [];
  const store = laterStore((journal) => ({
    append: async (record) => {
      calls.push(record.type);
      if (record.type !== 'step') return journal.append(record);
      begun.resolve();
      return never();
    },
    close: () => {
      calls.push('close');
      return never();
    },
  }));
  const { running, isOver } = watched(
    pipelineOn(store, clock).run('task', { runId: 'r', signal: stop.signal }),
  );
  await begun.promise;
  stop.abort();
  await turns(20);
  await clock.advanceAsync(1999);
  expect(isOver()).toBe(false);
  await clock.advanceAsync(1);
  await until(isOver);
  expect(await running).toMatchObject({ status: 'cancelled' });
  expect(calls).toEqual(['run', 'step', 'close']);
});

it('a run whose store closes slowly is over when the journal is closed', async () => {
  const closing = deferred<void>();
  let isClosing = false;
  const store = storeWith(() => ({
    close: () => {
      isClosing = true;
      return closing.promise;
    },
  }));
  const { running, isOver } = watched(pipelineOn(store).run('task'));
  await until(() => isClosing);
  await turns(20);
  expect(isOver()).toBe(false);
  closing.resolve();
  expect(await running).toMatchObject({ status: 'approved' });
});

describe('the record of a run', () => {
  it('has its beginning once, however often it is continued', async () => {
    const options = keeping({ name: 'essay' });
    const pipeline = definePipeline<string, string>(options);
    for (let time = 0; time < 3; time += 1) await pipeline.run('task', { runId: 'r' });
    const records = (await options.store.read('r')) ?? [];
    expect(records.filter(({ type }) => type === 'run')).toMatchObject([
      { schema: 1, runId: 'r', pipeline: 'essay', task: 'task' },
    ]);
  });

  it('holds the nonce of the run: reviewers see the same one when it is continued, and no other run has it', async () => {
    const seen: string[] = [];
    const pipeline = (nonce: string) =>
      definePipeline<string, string>({
        ...keeping(),
        random: { id: () => 'id', nonce: () => nonce },
        reviewers: [working('sees', ({ nonce }) => seen.push(nonce))],
      });
    const first = pipeline('one');
    await first.run('task', { runId: 'r' });
    await first.run('task', { runId: 'r' });
    await pipeline('two').run('task', { runId: 'r' });
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  it('needs an id of letters, digits and few signs', async () => {
    const pipeline = definePipeline<string, string>(keeping());
    for (const runId of [7, '', 'a b', 'a/b', 'ä', 'x'.repeat(201), null])
      await expect(pipeline.run('task', { runId: runId as never })).rejects.toMatchObject({
        code: 'invalid_options',
        value: runId,
      });
    const runId = `aZ_9.:@-${'x'.repeat(192)}`;
    expect(await pipeline.run('task', { runId })).toMatchObject({ runId });
  });
});

it('what cannot be used is closed: a journal that opens when the run has ended', async () => {
  const opened = deferred<Journal>();
  const begun = deferred<void>();
  const controller = new AbortController();
  let closed = 0;
  const open = () => {
    begun.resolve();
    return opened.promise;
  };
  const pending = pipelineOf({ store: { ...memoryStore(), open } }).run('task', {
    ...{ runId: 'r', signal: controller.signal },
  });
  await begun.promise;
  await settle();
  controller.abort();
  expect(await pending).toMatchObject({ status: 'cancelled' });
  const close = () => {
    closed += 1;
  };
  opened.resolve({ records: [], append: () => undefined, close });
  await settle();
  expect(closed).toBe(1);
});

describe('a bounded journal', () => {
  const over = { ended: false, late: [] as unknown[] };
  const end = {
    error: undefined,
    over: async (_: string, waiting: Promise<unknown>, ms?: number) => {
      if (ms !== undefined) over.late.push(waiting);
      return over.ended ? Promise.reject(new Error('the run ended')) : waiting;
    },
  } as never;
  const journal = (more: object = {}) => {
    const calls: string[] = [];
    const inner = {
      records: ['record'],
      append: async () => void calls.push('append'),
      review: async (review: string) => void calls.push(`review ${review}`),
      onLost: (callback: () => void) => {
        calls.push('onLost');
        callback();
      },
      close: async () => void calls.push('close'),
      ...more,
    } as never;
    return { bounded: boundedJournal(inner, end), calls };
  };

  it('passes every call on while the run goes on', async () => {
    over.ended = false;
    const { bounded, calls } = journal();
    expect(bounded.records).toEqual(['record']);
    await bounded.append({} as never);
    await bounded.review?.('r' as never);
    let lost = 0;
    bounded.onLost?.(() => {
      lost += 1;
    });
    await bounded.close();
    expect(calls).toEqual(['append', 'review r', 'onLost', 'close']);
    expect(lost).toBe(1);
  });

  it('has no reviews where the store stores none, and waits for no call that is done', () => {
    over.ended = false;
    const { bounded } = journal({ review: undefined, append: () => undefined });
    expect(bounded.review).toBeUndefined();
    expect(bounded.append({} as never)).toBeUndefined();
  });

  it('makes no other call while one is open after the end, and closes without waiting', async () => {
    over.ended = true;
    const open = deferred<void>();
    const { bounded, calls } = journal({
      append: () => {
        calls.push('append');
        return open.promise;
      },
    });
    await expect(bounded.append({} as never)).rejects.toThrow('the run ended');
    await expect(bounded.append({} as never)).rejects.toThrow('the run ended');
    await expect(bounded.append({} as never)).rejects.toThrow('does not answer');
    expect(calls).toEqual(['append']);
    await bounded.close();
    expect(calls).toEqual(['append', 'close']);
    open.resolve();
  });

  it('goes on once the open call has ended', async () => {
    over.ended = true;
    const { bounded, calls } = journal({
      append: async () => {
        calls.push('append');
        await Promise.resolve();
      },
    });
    await expect(bounded.append({} as never)).rejects.toThrow('the run ended');
    over.ended = false;
    await bounded.append({} as never);
    expect(calls).toEqual(['append', 'append']);
  });
});
