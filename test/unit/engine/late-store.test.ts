import { beforeAll, describe, expect, it } from 'vitest';
import { definePipeline, memoryStore, type Store } from '../../../src/index.js';
import { type Clock, systemClock } from '../../../src/ports/clock.js';
import type { Journal } from '../../../src/ports/store.js';
import { fakeClock } from '../../../src/testing/index.js';
import { deferred, loadEngine, never } from './support.js';

beforeAll(loadEngine);

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Waits some turns for something that comes soon. */
async function until(what: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !what(); i += 1) await turn();
  expect(what()).toBe(true);
}

/** A store that is not in memory: a test may replace parts of its journal. */
function storeWith(change: (journal: Journal) => Partial<Journal>): Store {
  const inner = memoryStore();
  return {
    ...inner,
    open: async (runId, keep) => {
      const journal = await inner.open(runId, keep);
      return {
        records: journal.records,
        append: async (record) => journal.append(record),
        close: async () => journal.close(),
        ...change(journal),
      };
    },
  };
}

const pipelineOn = (store: Store, clock: Clock = systemClock) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    criteria: { fine: () => true },
    store,
    clock,
  });

/** Aborts a run while the store writes its first step, which a test lets go. */
async function cancelledWhileWriting() {
  const writing = deferred<void>();
  const begun = deferred<void>();
  const closing = deferred<void>();
  const stop = new AbortController();
  const closes: string[] = [];
  const store = storeWith((journal) => ({
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
  let isOver = false;
  const running = pipelineOn(store)
    .run('task', { runId: 'r', signal: stop.signal })
    .finally(() => {
      isOver = true;
    });
  await begun.promise;
  stop.abort();
  for (let i = 0; i < 20; i += 1) await turn();
  return { store, running, writing, closing, closes, isOver: () => isOver };
}

describe('a run that ends while its store writes', () => {
  it('waits for that call, then records the end, and closes the journal', async () => {
    const { store, running, writing, closing, closes } = await cancelledWhileWriting();
    expect(closes).toEqual([]);
    writing.resolve();
    closing.resolve();
    expect(await running).toMatchObject({ status: 'cancelled' });
    const records = (await store.read('r')) ?? [];
    expect(records.map(({ type }) => type)).toEqual(['run', 'step', 'end']);
    expect(closes).toEqual(['begun', 'ended']);
  });

  it('waits until the journal is closed, if the store answers', async () => {
    const { running, writing, closing, closes, isOver } = await cancelledWhileWriting();
    writing.resolve();
    await until(() => closes.length > 0);
    for (let i = 0; i < 20; i += 1) await turn();
    expect(isOver()).toBe(false);
    closing.resolve();
    expect(await running).toMatchObject({ status: 'cancelled' });
  });
});

describe('a run whose store answers no more', () => {
  it('waits two seconds for it, and closes the journal without waiting', async () => {
    const clock = fakeClock();
    const begun = deferred<void>();
    const stop = new AbortController();
    const calls: string[] = [];
    const store = storeWith((journal) => ({
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
    let isOver = false;
    const running = pipelineOn(store, clock)
      .run('task', { runId: 'r', signal: stop.signal })
      .finally(() => {
        isOver = true;
      });
    await begun.promise;
    stop.abort();
    for (let i = 0; i < 20; i += 1) await turn();
    await clock.advanceAsync(1999);
    expect(isOver).toBe(false);
    await clock.advanceAsync(1);
    await until(() => isOver);
    expect(await running).toMatchObject({ status: 'cancelled' });
    expect(calls).toEqual(['run', 'step', 'close']);
  });
});

describe('a run whose store closes slowly', () => {
  it('is over when the journal is closed', async () => {
    const closing = deferred<void>();
    let isClosing = false;
    let isOver = false;
    const store = storeWith(() => ({
      close: () => {
        isClosing = true;
        return closing.promise;
      },
    }));
    const running = pipelineOn(store)
      .run('task')
      .finally(() => {
        isOver = true;
      });
    await until(() => isClosing);
    for (let i = 0; i < 20; i += 1) await turn();
    expect(isOver).toBe(false);
    closing.resolve();
    expect(await running).toMatchObject({ status: 'approved' });
  });
});
