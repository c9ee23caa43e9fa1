import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  limiter,
  memoryStore,
  memoryVerdicts,
  type Pipeline,
  type PipelineOptions,
  ReviewLoopError,
  type Store,
} from '@/index.js';
import type { JournalRecord } from '@/ports/index.js';
import { type FakeClock, fakeClock, fakeWorkspace, settle } from '@/testing/index.js';
import {
  deferred,
  failsWith,
  never,
  only,
  pipelineOf,
  storeWith,
  turn,
  turns,
  until,
  working,
} from './support.js';

const number = z.number();

/** Judges whose calls a test lets go one by one, and what was begun. */
function world(more: Partial<PipelineOptions<string, string>> = {}) {
  const store = memoryStore();
  const begun: string[] = [];
  const calls = new Map<string, ReturnType<typeof deferred<number>>>();
  const judge = (id: string, steps: readonly string[]) =>
    working(id, async (context) => {
      for (const step of steps)
        await context.step(step, { schema: number, input: step }, () => {
          begun.push(`${id}/${step}`);
          const call = calls.get(`${id}/${step}`);
          return call === undefined ? Promise.resolve(1) : call.promise;
        });
    });
  const hold = (name: string) => {
    const call = deferred<number>();
    calls.set(name, call);
    return call;
  };
  const pipeline = pipelineOf({
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

/** Runs a pipeline that is released by and by, which it must say when it rejects. */
function releasing(pipeline: Pipeline<string, string>) {
  const release = new AbortController();
  const running = pipeline.run('tea', { runId: 'r', release: release.signal });
  const refused = expect(running).rejects.toMatchObject({ code: 'released', value: 'r' });
  return { release, running, refused };
}

describe('a run that is released', () => {
  it('records the calls that are out, begins no other, writes no end, and rejects', async () => {
    const { store, begun, hold, pipeline, calls } = world();
    const one = hold('a/one');
    const { release, refused } = releasing(pipeline);
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
    const { release, refused } = releasing(pipeline);
    let isOver = false;
    void refused.finally(() => (isOver = true));
    await until(() => begun.includes('a/one') && begun.includes('b/one'));
    release.abort();
    one.resolve(1);
    await turns(20);
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
    const { release, refused } = releasing(pipeline);
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
    const pipeline = pipelineOf({
      produce: async (_, context) => {
        for (const name of ['one', 'two'])
          await context.step(name, { schema: number, input: name }, () => {
            begun.push(name);
            context.reportUsage({ totalTokens: 10 });
            return name === 'one' ? first.promise : Promise.resolve(2);
          });
        return 'text';
      },
      store,
    });
    const { release, refused } = releasing(pipeline);
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
    const pipeline = pipelineOf({
      work: async (context) => {
        await context.step('one', { schema: number, input: 1 }, async () => 1);
        context.reportUsage({ totalTokens: 5 });
        if (isFirst) release.abort();
        isFirst = false;
        await context.step('two', { schema: number, input: 2 }, async () => 2);
      },
      store,
    });
    await failsWith(pipeline.run('tea', { runId: 'r', release: release.signal }), 'released');
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
    await failsWith(pipeline.run('tea', { runId: 'r', release: AbortSignal.abort() }), 'released');
    expect(begun).toEqual([]);
    expect((await recordsOf(store, 'r')).some(({ type }) => type === 'end')).toBe(false);
    expect((await pipeline.run('tea', { runId: 'r' })).status).toBe('approved');
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
    const [end] = (await recordsOf(store, 'r')).slice(-1);
    expect(end).toMatchObject({ type: 'end', status: 'cancelled' });
  });
});

describe('a journal that tells who holds the run', () => {
  const guarded = (held: () => Promise<void> | void) => storeWith(() => ({ held }));

  it('is asked before each call, and stops the run before it pays for another writer', async () => {
    let asked = 0;
    const store = guarded(async () => {
      asked += 1;
      if (asked > 2) throw new ReviewLoopError('journal_write_failed', 'taken over');
    });
    const { begun, pipeline } = world({ store });
    const outcome = await pipeline.run('tea', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'journal_write_failed' });
    expect(begun.length).toBe(2);
  });

  it('that answers at once leaves checks by code as they are', async () => {
    const types = async (store: Store) => {
      const pipeline = pipelineOf({ produce: () => 'text', store });
      await pipeline.run('tea', { runId: 'r' });
      return (await recordsOf(store, 'r')).map(({ type }) => type);
    };
    expect(await types(guarded(() => undefined))).toEqual(await types(memoryStore()));
  });
});

const text = z.string();

describe('the calls of a run that may be released', () => {
  it('fail as those of any other run', async () => {
    const errors: unknown[] = [];
    const outcome = await pipelineOf({
      produce: async (_, context) => {
        const failing = context.step('write', { input: 0, schema: text }, async () => {
          throw new Error('no ink');
        });
        await failing.catch((error: unknown) => errors.push(error));
        return 'x';
      },
    }).run('task', { runId: 'r', release: new AbortController().signal });
    expect(outcome.status).toBe('approved');
    expect(errors).toMatchObject([{ message: 'no ink' }]);
  });

  it('that were refused tell why only when the run has ended', async () => {
    const caught: unknown[] = [];
    const pipeline = pipelineOf({
      produce: async (_, context) => {
        release.abort();
        const late = context.step('write', { input: 0, schema: text }, async () => 'x');
        return late.catch((error: unknown) => `${caught.push(error)}`);
      },
    });
    const { release, refused } = releasing(pipeline);
    await refused;
    await until(() => caught.length > 0);
    expect(caught).toMatchObject([{ code: 'released' }]);
  });

  it('wait for the calls that are out before they tell it', async () => {
    const [open, begun, go] = [deferred<string>(), deferred<void>(), deferred<void>()];
    const caught: unknown[] = [];
    const pipeline = pipelineOf({
      reviewers: [
        working('slow', ({ step }) =>
          step('look', { input: 0, schema: text }, () => {
            begun.resolve();
            return open.promise;
          }),
        ),
        working('late', async ({ step }) => {
          await go.promise;
          const late = step('look', { input: 0, schema: text }, async () => 'x');
          await late.catch((error: unknown) => caught.push(error));
        }),
      ],
    });
    const { release, refused } = releasing(pipeline);
    await begun.promise;
    release.abort();
    go.resolve();
    await turns(20);
    expect(caught).toEqual([]);
    open.resolve('x');
    await refused;
    await until(() => caught.length > 0);
    expect(caught).toMatchObject([{ code: 'released' }]);
  });

  it('tell the same where they had waited for a slot until then', async () => {
    const [one, begun] = [deferred<string>(), deferred<void>()];
    const caught: unknown[] = [];
    const made: string[] = [];
    const judge = (id: string, answer: Promise<string>) =>
      working(id, ({ step }) => {
        const call = step('look', { input: 0, schema: text }, () => {
          made.push(id);
          begun.resolve();
          return answer;
        });
        return call.catch((error: unknown) => caught.push(error));
      });
    const pipeline = pipelineOf({
      reviewers: [
        judge('a', one.promise),
        judge('b', one.promise),
        judge('c', Promise.resolve('x')),
      ],
      limiter: limiter({ concurrency: 2 }),
    });
    const { release, refused } = releasing(pipeline);
    await begun.promise;
    release.abort();
    one.resolve('x');
    await refused;
    await until(() => caught.length > 0);
    expect(made).toEqual(['a', 'b']);
    expect(caught).toMatchObject([{ code: 'released' }]);
  });

  it('hold nothing up while another run has all the slots', async () => {
    const slots = limiter({ concurrency: 1 });
    const other = deferred<string>();
    const begun = deferred<void>();
    const pipeline = (work: () => Promise<string>) => pipelineOf({ produce: work, limiter: slots });
    const first = pipeline(() => {
      begun.resolve();
      return other.promise;
    }).run('task');
    await begun.promise;
    const { release, refused } = releasing(pipeline(async () => 'x'));
    await turns(20);
    release.abort();
    await refused;
    other.resolve('x');
    expect(await first).toMatchObject({ status: 'approved' });
  });
});

it('a store that cannot tell for a moment who holds the run costs that call, which a judge makes again', async () => {
  let asked = 0;
  const held = async (): Promise<void> => {
    asked += 1;
    if (asked === 2) throw new Error('no connection');
  };
  const outcome = await pipelineOf({
    work: ({ step }) => step('look', { input: 0, schema: text }, async () => 'x'),
    retries: 1,
    store: storeWith(() => ({ held })),
  }).run('task', { runId: 'r' });
  expect(outcome).toMatchObject({ status: 'approved' });
  expect(asked).toBe(3);
});

type Options = Partial<PipelineOptions<string, string>>;

const storeThat = (hangs: 'open' | 'append' | 'review' | 'close'): Store => {
  const inner = memoryStore();
  return {
    ...inner,
    open: async (runId, keep) => {
      if (hangs === 'open') return never();
      const journal = await inner.open(runId, keep);
      return {
        records: journal.records,
        append: async (record) =>
          hangs === 'append' && record.type === 'step' ? never() : journal.append(record),
        review: async () => (hangs === 'review' ? never() : undefined),
        close: async () => (hangs === 'close' ? never() : journal.close()),
      };
    },
  };
};

const workspaceThat = (hangs: 'snapshot' | 'restore' | 'claim' | 'release') => {
  const inner = fakeWorkspace();
  return {
    ...inner,
    [hangs]: () => never(),
    claim: async () => {
      if (hangs === 'claim') return never<{ release: () => Promise<void> }>();
      return { release: async () => (hangs === 'release' ? never<void>() : undefined) };
    },
  };
};

/** Every method of every port that a run waits for. */
const ports: Readonly<Record<string, () => Options>> = {
  'store.open': () => ({ store: storeThat('open') }),
  'journal.append': () => ({ store: storeThat('append') }),
  'journal.review': () => ({ store: storeThat('review') }),
  'journal.close': () => ({ store: storeThat('close') }),
  'workspace.claim': () => ({ workspace: workspaceThat('claim') }),
  'workspace.snapshot': () => ({ workspace: workspaceThat('snapshot') }),
  'workspace.restore': () => ({
    workspace: workspaceThat('restore'),
    criteria: { a: () => 'never' },
    address: async (text) => `${text}!`,
  }),
  'workspace.release': () => ({ workspace: workspaceThat('release') }),
  'verdicts.get': () => ({ verdicts: { ...memoryVerdicts(), get: () => never() } }),
  'verdicts.put': () => ({ verdicts: { ...memoryVerdicts(), put: () => never() } }),
  'learn.relevantTo': () => ({ learn: { relevantTo: () => never() } }),
  'learn.capture': () => ({ learn: { relevantTo: async () => '', capture: () => never() } }),
  'human.notify': () => ({ human: { policy: 'require', notify: () => never() } }),
  'limiter.enter': () => ({
    limiter: { concurrency: 1, age: () => 0, spend: () => {}, enter: () => {} },
  }),
  produce: () => ({ produce: () => never() }),
  address: () => ({ criteria: { a: () => 'no' }, address: () => never() }),
  criterion: () => ({ criteria: { a: () => never<boolean>() } }),
};

const runWith = (options: Options, clock: FakeClock, timeoutMs?: number) =>
  pipelineOf({
    criteria: { a: { check: () => true, version: '1', scope: (text) => text } },
    clock,
    ...(timeoutMs !== undefined && { budget: { timeoutMs } }),
    ...options,
  });

/** Advances the clock until the run has ended; modules that load take real time. */
async function ended<Value>(running: Promise<Value>, clock: FakeClock, ms: number): Promise<Value> {
  let done = false;
  const watched = running.finally(() => {
    done = true;
  });
  await turns(40);
  await clock.advanceAsync(ms);
  for (let time = 0; time < 20_000 && !done; time += 1) await turn();
  for (let more = 0; more < 3 && !done; more += 1) await clock.advanceAsync(2_000);
  for (let time = 0; time < 20_000 && !done; time += 1) await turn();
  expect(done, 'the run did not end').toBe(true);
  return watched;
}

describe.each(Object.entries(ports))('%s that never answers', (_, optionsOf) => {
  it('does not outlast `budget.timeoutMs` [R2-048]', async () => {
    const clock = fakeClock();
    const running = runWith(optionsOf(), clock, 1000).run('task', { runId: 'r' });
    const outcome = await ended(running, clock, 1000);
    expect(['timed_out', 'approved', 'suspended', 'failed']).toContain(outcome.status);
  });

  it('does not outlast the signal [R2-048]', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const { signal } = controller;
    const running = runWith(optionsOf(), clock).run('task', { runId: 'r', signal });
    await turns(40);
    controller.abort();
    const outcome = await ended(running, clock, 0);
    expect(['cancelled', 'approved', 'suspended', 'failed']).toContain(outcome.status);
  });
});

it('an audit log that never answers does not outlast `budget.timeoutMs`, and nothing is decided [R2-048]', async () => {
  const clock = fakeClock();
  const store = memoryStore();
  const options: Options = { store, human: { policy: 'require' } };
  const request = only(await runWith(options, clock).run('task', { runId: 'r' }));
  const audited = runWith({ ...options, audit: { record: () => never() } }, clock, 1000);
  const answering = audited.answer(request, { kind: 'approve', by: 'ann' });
  expect(await ended(answering, clock, 1000)).toMatchObject({ status: 'timed_out' });
  await settle();
  const records = await store.read('r');
  expect(records?.some(({ type }) => type === 'answer')).toBe(false);
});
