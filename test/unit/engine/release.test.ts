import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  limiter,
  memoryStore,
  type PipelineOptions,
  type Store,
} from '../../../src/index.js';
import type { JournalRecord } from '../../../src/ports/index.js';
import { deferred, reviewer } from './support.js';

const number = z.number();

/** Judges whose calls a test lets go one by one, and what was begun. */
function world(more: Partial<PipelineOptions<string, string>> = {}) {
  const store = memoryStore();
  const begun: string[] = [];
  const calls = new Map<string, ReturnType<typeof deferred<number>>>();
  const judge = (id: string, steps: readonly string[]) =>
    reviewer(id, async (_, context) => {
      for (const step of steps)
        await context.step(step, { schema: number, input: step }, () => {
          begun.push(`${id}/${step}`);
          const call = calls.get(`${id}/${step}`);
          return call === undefined ? Promise.resolve(1) : call.promise;
        });
      return [{ verdict: 'pass', criterion: id, score: 1, explanation: '', gaps: [] }];
    });
  const hold = (name: string) => {
    const call = deferred<number>();
    calls.set(name, call);
    return call;
  };
  const pipeline = definePipeline<string, string>({
    produce: async () => {
      begun.push('produce');
      return 'text';
    },
    reviewers: [judge('a', ['one', 'two']), judge('b', ['one'])],
    store,
    ...more,
  });
  return { store, begun, hold, pipeline, calls };
}

async function recordsOf(store: Store, runId: string): Promise<readonly JournalRecord[]> {
  return (await store.read(runId)) ?? [];
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function until(what: () => boolean): Promise<void> {
  while (!what()) await turn();
}

describe('a run that is released', () => {
  it('records the calls that are out, begins no other, writes no end, and rejects', async () => {
    const { store, begun, hold, pipeline, calls } = world();
    const one = hold('a/one');
    const release = new AbortController();
    const running = pipeline.run('tea', { runId: 'r', release: release.signal });
    const refused = expect(running).rejects.toMatchObject({ code: 'released', value: 'r' });
    await until(() => begun.includes('a/one'));
    release.abort();
    await turn();
    one.resolve(1);
    await refused;
    expect(begun).not.toContain('a/two');
    const records = await recordsOf(store, 'r');
    expect(records.some((record) => record.type === 'end')).toBe(false);
    expect(records.flatMap((record) => (record.type === 'step' ? record.name : []))).toContain(
      'iter:1/review:a/one',
    );
    calls.clear();
    const before = begun.length;
    await expect(pipeline.resume('r')).resolves.toMatchObject({ status: 'approved' });
    expect(begun.slice(before)).toEqual(['a/two']);
  });

  it('waits for every call that is out, not only for the first', async () => {
    const { store, begun, hold, pipeline } = world();
    const one = hold('a/one');
    const other = hold('b/one');
    const release = new AbortController();
    const running = pipeline.run('tea', { runId: 'r', release: release.signal });
    let isOver = false;
    const refused = expect(running.finally(() => (isOver = true))).rejects.toMatchObject({
      code: 'released',
    });
    await until(() => begun.includes('a/one') && begun.includes('b/one'));
    release.abort();
    one.resolve(1);
    for (let i = 0; i < 20; i += 1) await turn();
    expect(isOver).toBe(false);
    other.resolve(1);
    await refused;
    const steps = (await recordsOf(store, 'r')).filter(({ type }) => type === 'step');
    expect(steps).toHaveLength(3);
  });

  it('does not wait for calls that have no slot yet', async () => {
    const { begun, hold, pipeline } = world({ limiter: limiter({ concurrency: 1 }) });
    const one = hold('a/one');
    hold('b/one');
    const release = new AbortController();
    const running = pipeline.run('tea', { runId: 'r', release: release.signal });
    const refused = expect(running).rejects.toMatchObject({ code: 'released' });
    await until(() => begun.includes('a/one'));
    release.abort();
    one.resolve(1);
    await refused;
    expect(begun).toEqual(['produce', 'a/one']);
  });

  it('keeps the steps of work that has more to do, and counts what it used once', async () => {
    const store = memoryStore();
    const begun: string[] = [];
    const first = deferred<number>();
    const pipeline = definePipeline<string, string>({
      produce: async (_, context) => {
        for (const name of ['one', 'two'])
          await context.step(name, { schema: number, input: name }, () => {
            begun.push(name);
            context.reportUsage({ totalTokens: 10 });
            return name === 'one' ? first.promise : Promise.resolve(2);
          });
        return 'text';
      },
      criteria: { fine: () => true },
      store,
    });
    const release = new AbortController();
    const running = pipeline.run('tea', { runId: 'r', release: release.signal });
    const refused = expect(running).rejects.toMatchObject({ code: 'released' });
    await until(() => begun.length === 1);
    release.abort();
    first.resolve(1);
    await refused;
    expect(begun).toEqual(['one']);
    const outcome = await pipeline.resume('r');
    expect(begun).toEqual(['one', 'two']);
    expect(outcome).toMatchObject({ status: 'approved', usage: { produce: { totalTokens: 20 } } });
  });

  it('records what a judge reported outside of its steps, which then counts once', async () => {
    const store = memoryStore();
    const release = new AbortController();
    let isFirst = true;
    const pipeline = definePipeline<string, string>({
      produce: async () => 'text',
      reviewers: [
        reviewer('a', async (_, context) => {
          await context.step('one', { schema: number, input: 1 }, async () => 1);
          context.reportUsage({ totalTokens: 5 });
          if (isFirst) release.abort();
          isFirst = false;
          await context.step('two', { schema: number, input: 2 }, async () => 2);
          return [{ verdict: 'pass', criterion: 'a', score: 1, explanation: '', gaps: [] }];
        }),
      ],
      store,
    });
    await expect(
      pipeline.run('tea', { runId: 'r', release: release.signal }),
    ).rejects.toMatchObject({ code: 'released' });
    expect((await recordsOf(store, 'r')).at(-1)).toMatchObject({
      type: 'attempt',
      code: 'released',
      usage: { totalTokens: 5 },
    });
    await expect(pipeline.resume('r')).resolves.toMatchObject({
      status: 'approved',
      usage: { review: { totalTokens: 5 } },
    });
  });

  it('is not even opened if it was released before', async () => {
    const { store, begun, pipeline } = world();
    await expect(
      pipeline.run('tea', { runId: 'r', release: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'released' });
    expect(begun).toEqual([]);
    expect((await recordsOf(store, 'r')).some(({ type }) => type === 'end')).toBe(false);
    await expect(pipeline.run('tea', { runId: 'r' })).resolves.toMatchObject({
      status: 'approved',
    });
  });

  it('changes nothing once the run has ended', async () => {
    const { pipeline } = world();
    const release = new AbortController();
    const outcome = await pipeline.run('tea', { runId: 'r', release: release.signal });
    release.abort();
    expect(outcome.status).toBe('approved');
  });

  it('differs from a signal, which records that the run was cancelled', async () => {
    const { store, begun, hold, pipeline } = world();
    hold('a/one');
    const stop = new AbortController();
    const running = pipeline.run('tea', { runId: 'r', signal: stop.signal });
    await until(() => begun.includes('a/one'));
    stop.abort();
    await expect(running).resolves.toMatchObject({ status: 'cancelled' });
    expect((await recordsOf(store, 'r')).at(-1)).toMatchObject({
      type: 'end',
      status: 'cancelled',
    });
  });
});

describe('a journal that tells who holds the run', () => {
  const guarded = (held: () => Promise<void> | void): Store => {
    const store = memoryStore();
    return {
      ...store,
      open: async (runId, keep) => {
        const journal = await store.open(runId, keep);
        return { ...journal, held };
      },
    };
  };

  it('is asked before each call, and stops the run before it pays for another writer', async () => {
    let asked = 0;
    const lost = Object.assign(new Error('taken over'), { code: 'journal_fenced' });
    const { ReviewLoopError } = await import('../../../src/core/errors.js');
    const store = guarded(async () => {
      asked += 1;
      if (asked > 2) throw new ReviewLoopError('journal_write_failed', lost.message);
    });
    const { begun, pipeline } = world({ store });
    const outcome = await pipeline.run('tea', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'journal_write_failed' });
    expect(begun.length).toBe(2);
  });

  it('that answers at once leaves checks by code as they are', async () => {
    const types = async (store: Store) => {
      const pipeline = definePipeline<string, string>({
        produce: () => 'text',
        criteria: { fine: () => true },
        store,
      });
      await pipeline.run('tea', { runId: 'r' });
      return (await recordsOf(store, 'r')).map(({ type }) => type);
    };
    expect(await types(guarded(() => undefined))).toEqual(await types(memoryStore()));
  });
});
