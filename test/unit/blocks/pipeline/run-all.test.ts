import { describe, expect, it } from 'vitest';
import { type BatchResult, definePipeline, memoryStore, type Pipeline, runAll } from '@/index.js';
import { deferred } from '../../engine/support.js';

/** A pipeline whose runs end when the test says so, and the options that its runs were given. */
function manual(concurrency = 2) {
  const open = new Map<unknown, () => void>();
  const given: unknown[] = [];
  const { run, ...rest } = definePipeline<unknown, string>({
    produce: async () => 'x',
    criteria: { a: () => true },
  });
  const pipeline: Pick<Pipeline<unknown, string>, 'run' | 'concurrency'> = {
    ...rest,
    concurrency,
    run: async (task, options) => {
      given.push(options);
      const free = deferred<void>();
      open.set(task, () => free.resolve());
      await free.promise;
      return run(task);
    },
  };
  return { open, given, pipeline };
}

async function all<Item, Output>(batch: AsyncIterable<BatchResult<Item, Output>>) {
  const results: BatchResult<Item, Output>[] = [];
  for await (const result of batch) results.push(result);
  return results;
}

const simple = () =>
  definePipeline<unknown, string>({ produce: async () => 'x', criteria: { a: () => true } });

describe('a batch', () => {
  it('takes the next task only when it can start it, and hands results over as runs end', async () => {
    const { open, pipeline } = manual();
    let taken = 0;
    function* tasks(): Generator<number> {
      for (let task = 1; task <= 5; task += 1) {
        taken += 1;
        yield task;
      }
    }
    const batch = runAll(pipeline, tasks());
    const first = batch.next();
    await expect.poll(() => [...open.keys()]).toEqual([1, 2]);
    expect(taken).toBe(2);
    open.get(2)?.();
    expect((await first).value).toMatchObject({ task: 2, done: 1, outcome: { approved: true } });
    const second = batch.next();
    await expect.poll(() => [...open.keys()]).toEqual([1, 2, 3]);
    expect(taken).toBe(3);
    open.get(1)?.();
    expect((await second).value).toMatchObject({ task: 1, done: 2 });
    const third = batch.next();
    await expect.poll(() => open.size).toBe(4);
    open.get(3)?.();
    open.get(4)?.();
    expect((await third).value).toMatchObject({ done: 3 });
    expect((await batch.next()).value).toMatchObject({ done: 4 });
    const fifth = batch.next();
    await expect.poll(() => open.size).toBe(5);
    open.get(5)?.();
    expect((await fifth).value).toMatchObject({ task: 5, done: 5 });
    expect(await batch.next()).toEqual({ value: undefined, done: true });
  });

  it('runs as many at a time as it is told, or as the pipeline allows', async () => {
    for (const [concurrency, most] of [
      [undefined, 3],
      [1, 1],
    ] as const) {
      const { open, pipeline } = manual(3);
      const batch = runAll(pipeline, ['a', 'b', 'c', 'd'], { concurrency });
      const first = batch.next();
      await expect.poll(() => open.size).toBe(most);
      for (const free of open.values()) free();
      await first;
      await batch.return(undefined);
    }
  });

  it('knows how many tasks a list, a set or a map has, and of others nothing', async () => {
    const totals = async (tasks: Iterable<unknown> | AsyncIterable<unknown>) =>
      (await all(runAll(simple(), tasks))).map(({ total }) => total);
    expect(await totals(['a', 'b'])).toEqual([2, 2]);
    expect(await totals(new Set(['a', 'b']))).toEqual([2, 2]);
    expect(await totals(new Map([['a', 1]]))).toEqual([1]);
    async function* later(): AsyncGenerator<string> {
      yield 'a';
    }
    expect(await totals(later())).toEqual([undefined]);
    expect(await totals([])).toEqual([]);
  });

  it('hands its store, signal and listeners to every run, and the id of its task', async () => {
    const { open, given, pipeline } = manual();
    const { signal } = new AbortController();
    const more = { signal, store: memoryStore(), on: {} };
    const runIdOf = (task: unknown) => `run-${String(task)}`;
    const batch = runAll(pipeline, ['a'], { ...more, runIdOf });
    const first = batch.next();
    await expect.poll(() => open.size).toBe(1);
    open.get('a')?.();
    await first;
    expect(given).toEqual([{ ...more, runId: 'run-a' }]);
  });

  it('makes a failed outcome of a task that cannot start, and goes on', async () => {
    const results = await all(
      runAll(simple(), ['bad', 'good', 'odd'], {
        runIdOf: (task) => {
          if (task === 'odd') throw new Error('no id for it');
          return task === 'bad' ? 'a/b' : 'fine';
        },
      }),
    );
    const outcomes = new Map(results.map(({ task, outcome }) => [task, outcome]));
    expect(outcomes.get('good')).toMatchObject({ status: 'approved', runId: 'fine' });
    expect(outcomes.get('bad')).toMatchObject({
      status: 'failed',
      approved: false,
      code: 'invalid_options',
      error: { code: 'invalid_options', value: 'a/b' },
      runId: '',
      reviews: [],
      usage: { produce: {}, review: {}, address: {} },
      output: undefined,
    });
    expect(outcomes.get('odd')).toMatchObject({
      status: 'failed',
      code: 'invalid_options',
      error: { cause: { message: 'no id for it' } },
    });
    expect(outcomes.get('odd')?.reason).toContain('no id for it');
  });

  it('closes its source when it is left early or the source fails, not after its end', async () => {
    const closed: string[] = [];
    const source = (name: string, length: number) => {
      let next = 0;
      const iterator: Iterator<number> & Iterable<number> = {
        [Symbol.iterator]: () => iterator,
        next: () => ({ done: next >= length, value: next++ }),
        return: () => {
          closed.push(name);
          return { done: true, value: undefined };
        },
      };
      return iterator;
    };
    await all(runAll(simple(), source('whole', 3)));
    expect(closed).toEqual([]);
    for await (const _ of runAll(simple(), source('left', 30))) break;
    expect(closed).toEqual(['left']);
  });

  it.each([
    [7, {}, 'tasks'],
    ['one task', {}, 'tasks'],
    [null, {}, 'tasks'],
    [{}, {}, 'tasks'],
    [['a'], { concurrency: 0 }, 'concurrency'],
    [['a'], { concurrency: 1.5 }, 'concurrency'],
    [['a'], { runIdOf: 'a' }, 'runIdOf'],
    [['a'], { runId: 'a' }, 'runAll has no option `runId`'],
    [['a'], null, 'runAll'],
  ])('refuses %j with %j before it takes a task', async (tasks, options, named) => {
    await expect(runAll(simple(), tasks as never, options as never).next()).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(named),
    });
  });
});
