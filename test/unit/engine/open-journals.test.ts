import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type Store,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { never } from './support.js';

const silent = (): void => {};

/** A pipeline over a store, and what it logs as errors. */
function over(store: Store, more: Partial<PipelineOptions<string, string>> = {}) {
  const errors: unknown[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    criteria: { a: () => true },
    store,
    logger: { debug: silent, info: silent, warn: silent, error: (data) => void errors.push(data) },
    ...more,
  });
  return { errors, pipeline };
}

describe('the journal of a run', () => {
  it('that cannot be closed is told of, and the outcome stays', async () => {
    const inner = memoryStore();
    const { errors, pipeline } = over({
      read: inner.read,
      list: inner.list,
      open: async (runId, isKept) => {
        const journal = await inner.open(runId, isKept);
        return {
          records: journal.records,
          append: async (record) => journal.append(record),
          close: () => Promise.reject(new Error('still locked')),
        };
      },
    });
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
    await expect(pipeline.resume('none', { signal })).rejects.toMatchObject({
      code: 'run_unknown',
    });
  });
});
