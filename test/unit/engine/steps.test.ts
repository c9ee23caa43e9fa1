import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fileStore } from '@/adapters/stores/file/index.js';
import { onceAfter } from '@/engine/after-run-step.js';
import {
  limiter,
  memoryStore,
  type ReviewerContext,
  type StepContext,
  type Store,
  type Usage,
} from '@/index.js';
import type { JournalRecord } from '@/ports/index.js';
import { fakeClock } from '@/testing/index.js';
import { emptyDirectory } from '../adapters/stores/file-support.js';
import {
  failed,
  failsWith,
  logged,
  only,
  passed,
  passing,
  pipelineOf,
  storeWith,
  suspended,
  working,
} from './support.js';

const text = z.string();

const approve = { kind: 'approve', by: 'Ann' } as const;

/** Runs one reviewer once and gives what its context did. */
async function within(work: (context: ReviewerContext) => Promise<unknown>, more: object = {}) {
  const outcome = await pipelineOf({
    work,
    retries: 0,
    ...more,
  }).run('task');
  const [assessment] = outcome.reviews[0]?.assessments ?? [];
  return { outcome, error: assessment?.verdict === 'errored' ? assessment.error : undefined };
}

describe('step', () => {
  it('gives the value, and a key that depends on run, name and input', async () => {
    const keys: string[] = [];
    const { outcome, error } = await within(async (context) => {
      for (const [name, input] of [
        ['a', 1],
        ['b', 1],
        ['c', 2],
      ] as const) {
        expect(
          await context.step(name, { input, schema: text }, async (attempt) => {
            keys.push(attempt.key);
            expect(attempt.attempt).toBe(1);
            expect(attempt.signal.aborted).toBe(false);
            return name;
          }),
        ).toBe(name);
      }
    });
    expect(error).toBeUndefined();
    expect(outcome.approved).toBe(true);
    expect(new Set(keys).size).toBe(3);
  });

  it('refuses a step, a check and a question inside a step', async () => {
    for (const inner of [
      (context: ReviewerContext) =>
        context.step('inner', { input: 1, schema: text }, async () => 'x'),
      (context: ReviewerContext) => context.check(text, () => 'x'),
      (context: ReviewerContext) =>
        context.ask('inner', { question: '?', allowed: ['approve'], gaps: [] }).then(String),
    ]) {
      const { error } = await within((context) =>
        context.step('outer', { input: 1, schema: text }, () => inner(context)),
      );
      expect(error?.code).toBe('step_nested');
    }
  });

  it('refuses a value that its schema does not accept, and one that JSON cannot hold', async () => {
    const wrong = await within((context) =>
      context.step('a', { input: 1, schema: text }, async () => 7 as unknown as string),
    );
    expect(wrong.error?.code).toBe('step_invalid');
    const unstorable = await within((context) =>
      context.step('a', { input: 1, schema: z.unknown() }, async () => ({ at: new Date(0) })),
    );
    expect(unstorable.error?.code).toBe('not_json');
    const input = await within((context) =>
      context.step('a', { input: () => 1, schema: text }, async () => 'x'),
    );
    expect(input.error?.code).toBe('not_json');
  });

  it('does not deadlock with one slot: a reviewer, produce and address hold none while they make steps', async () => {
    const outcome = await pipelineOf({
      produce: async (_, context) =>
        context.step('draft', { input: 0, schema: text }, async () => 'a'),
      address: async (output, _gaps, context) =>
        context.step('fix', { input: 0, schema: text }, async () => `${output}b`),
      judge: async ({ output }, context) => [
        (await context.step('call', { input: 0, schema: text }, async () => output)).includes('b')
          ? passed('r')
          : failed('r'),
      ],
      limiter: limiter({ concurrency: 1 }),
    }).run('task');
    expect(outcome).toMatchObject({ approved: true, output: 'ab' });
  });

  it('is tried again on resume when it failed, with the next attempt number, and replayed when it succeeded', async () => {
    const store = memoryStore();
    const attempts: number[] = [];
    let good = 0;
    const made = async () => {
      const pipeline = pipelineOf({
        retries: 0,
        store,
        work: async (context) => {
          await context.step('good', { input: 0, schema: text }, async () => {
            good += 1;
            return 'x';
          });
          await context.step('flaky', { input: 0, schema: text }, async ({ attempt }) => {
            attempts.push(attempt);
            if (attempt < 3) throw new Error('down');
            return 'x';
          });
        },
      });
      return (await pipeline.run('task', { runId: 'r' })).status;
    };
    const statuses = [await made(), await made(), await made()];
    expect(statuses).toEqual(['inconclusive', 'inconclusive', 'approved']);
    expect(attempts).toEqual([1, 2, 3]);
    expect(good).toBe(1);
  });

  it('is done again when its input, or the version of its reviewer, has changed', async () => {
    const store = memoryStore();
    const made: string[] = [];
    const note = (what: string) => async () => {
      made.push(what);
      return 'x';
    };
    const run = (input: string, version: string) =>
      pipelineOf({
        store,
        reviewers: [
          working('stepping', ({ step }) => step('call', { input, schema: text }, note('call'))),
          working('checking', ({ check }) => check(text, note('check')), { version }),
        ],
      }).run('task', { runId: 'r' });
    await run('a', '1');
    await run('a', '1');
    expect([...made].sort()).toEqual(['call', 'check']);
    await run('b', '1');
    expect(made.slice(2)).toEqual(['call']);
    await run('b', '2');
    expect(made.slice(3)).toEqual(['check']);
  });

  it('counts usage once: live, when resumed, and with the steps of produce', async () => {
    const store = memoryStore();
    const spend = async (context: StepContext, inside: Usage, beside: Usage) => {
      await context.step('call', { input: 0, schema: text }, async () => {
        context.reportUsage(inside);
        return 'x';
      });
      context.reportUsage(beside);
      return 'output';
    };
    const pipeline = () =>
      pipelineOf({
        produce: (_, context) =>
          spend(context, { inputTokens: 5, outputTokens: 1 }, { totalTokens: 4, costUsd: 0.5 }),
        work: (context) => spend(context, { totalTokens: 7 }, { totalTokens: 1 }),
        store,
      }).run('task', { runId: 'r' });
    const first = await pipeline();
    const again = await pipeline();
    for (const { usage } of [first, again]) {
      expect(usage.produce.totalTokens).toBe(10);
      expect(usage.produce.costUsd).toBe(0.5);
      expect(usage.review.totalTokens).toBe(8);
      expect(usage.address).toEqual({});
    }
    expect(first.reviews[0]?.usage.totalTokens).toBe(8);
  });
});

describe('a run that is recorded', () => {
  const produceOnce = () => {
    let made = 0;
    return { produce: async () => `v${++made}`, made: () => made };
  };

  it('refuses another task under the same id, and a second run while the first is under way', async () => {
    const { produce } = produceOnce();
    const pipeline = pipelineOf({ produce, criteria: { a: () => true } });
    const first = pipeline.run('one', { runId: 'r' });
    await expect(pipeline.run('one', { runId: 'r' })).rejects.toMatchObject({ code: 'run_busy' });
    await first;
    await failsWith(pipeline.run('two', { runId: 'r' }), 'run_conflict');
  });

  it('gives the same outcome again without producing again', async () => {
    const { produce, made } = produceOnce();
    const pipeline = pipelineOf({ produce, criteria: { a: async () => true } });
    const first = await pipeline.run('one', { runId: 'r' });
    const again = await pipeline.run('one', { runId: 'r' });
    expect(again.output).toBe(first.output);
    expect(made()).toBe(1);
  });

  it('lists runs by status, and forgets those whose id nobody chose', async () => {
    const store = memoryStore();
    const pipeline = pipelineOf({ criteria: { a: () => true }, store });
    await pipeline.run('one', { runId: 'named' });
    const { runId } = await pipeline.run('two');
    expect(await store.list({ status: 'approved' })).toEqual(
      expect.arrayContaining([
        { runId: 'named', status: 'approved' },
        { runId, status: 'approved' },
      ]),
    );
    expect(await store.list({ status: 'suspended' })).toEqual([]);
    expect(await store.read(runId)).toBeUndefined();
    expect((await store.read('named'))?.[0]).toMatchObject({ type: 'run', schema: 1, task: 'one' });
  });

  it('fails with the best version when the journal cannot be written, whatever was being recorded', async () => {
    for (let writes = 0; writes < 6; writes += 1) {
      const { produce } = produceOnce();
      const outcome = await pipelineOf({
        produce,
        address: async (output) => `${output}!`,
        criteria: { a: async (output) => output.includes('!') || 'no' },
        store: full(writes),
      }).run('task', { runId: 'r' });
      expect(outcome, `after ${writes} writes`).toMatchObject({
        status: 'failed',
        approved: false,
        code: 'journal_write_failed',
      });
      if (writes >= 3) expect(outcome.output).toMatch(/^v1/);
    }
  });

  it('keeps a step that answered while another waits for a person', async () => {
    let paid = 0;
    const pipeline = pipelineOf({
      judge: async (_, context) => {
        const [answer] = await Promise.all([
          context.ask('go', { question: 'go?', allowed: ['approve', 'reject'], gaps: [] }),
          context.step('call', { input: 0, schema: text }, async () => {
            paid += 1;
            return 'x';
          }),
        ]);
        return [answer.kind === 'approve' ? passed('both') : failed('both')];
      },
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(paid).toBe(1);
    expect(await pipeline.answer(waiting.requests[0], approve)).toMatchObject({ approved: true });
    expect(paid).toBe(1);
  });
});

/** A store whose disk is full after some writes. */
function full(writes: number): Store {
  let left = writes;
  return storeWith((journal) => ({
    append: async (record) => {
      if (left-- <= 0)
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await journal.append(record);
    },
  }));
}

const number = z.number();

/** Makes a step of each name in one reviewer, and returns the name at which it was refused. */
async function refused(names: readonly string[]): Promise<string | undefined> {
  let at: string | undefined;
  const { outcome, error } = await within(async (context) => {
    for (const name of names) {
      at = name;
      await context.step(name, { input: 0, schema: number }, async () => 1);
    }
    at = undefined;
  });
  expect(error?.code).toBe(at && 'step_reused');
  expect(outcome.approved).toBe(at === undefined);
  return at;
}

it('a reviewer uses each name of a step once, however many it has', async () => {
  expect(await refused(['a', 'b', 'c', 'a/b'])).toBeUndefined();
  expect(await refused(['a', 'a'])).toBe('a');
  expect(await refused(['a', 'b', 'b'])).toBe('b');
  expect(await refused(['a', 'b', 'c', 'b'])).toBe('b');
  expect(await refused(['a', 'b', 'c', 'c'])).toBe('c');
  expect(await refused(['a', 'b', 'a'])).toBe('a');
});

it('two reviewers may use the same names', async () => {
  const judge = (id: string) =>
    working(id, ({ step }) => step('a', { input: 0, schema: number }, async () => 1));
  const pipeline = pipelineOf({ reviewers: [judge('one'), judge('two')] });
  expect(await pipeline.run('task')).toMatchObject({ status: 'approved' });
});

describe('a recorded step', () => {
  /** Does a step, asks a person, and goes on with another schema; each does a value of its own. */
  async function goneOn(...processes: readonly [z.ZodType, unknown][]) {
    const store = memoryStore();
    const [done, read]: [unknown[], unknown[]] = [[], []];
    const { lines, logger } = logged('warn');
    const [before, after] = processes.map(([schema, value]) =>
      pipelineOf({
        produce: async (_, context) => {
          const work = async () => {
            done.push(value);
            return value;
          };
          read.push(await context.step('call', { input: 1, schema }, work));
          return (await context.ask('go', { question: 'go?', allowed: ['approve'] })).by;
        },
        ...{ store, logger },
      }),
    );
    const request = only(await before!.run('task', { runId: 'r' }));
    expect(await after!.answer(request, approve)).toMatchObject({ status: 'approved' });
    return { done, read, lines };
  }

  it('that no longer fits its schema is done again, and the log says which', async () => {
    const { done, lines } = await goneOn([z.string(), 'one'], [z.number(), 1]);
    expect(done).toEqual(['one', 1]);
    const steps = lines.filter((fields) => 'step' in fields);
    expect(steps).toMatchObject([{ step: 'produce/call' }]);
  });

  it('is read by the schema of today', async () => {
    const [first, later] = [{ a: z.number() }, { b: z.string().default('new') }];
    const value = { a: 1 };
    const whole = z.object({ ...first, ...later });
    const { read } = await goneOn([z.object(first), value], [whole, value]);
    expect(read).toEqual([{ a: 1 }, { a: 1, b: 'new' }]);
  });
});

const once = (store: Store, input: string, work: () => Promise<string>) =>
  onceAfter({ store, clock: fakeClock(7), runId: 'r', name: 'after', input, schema: text }, work);

describe('work after a run', () => {
  it('is done once for the same input, and kept with the run', async () => {
    const store = memoryStore();
    await pipelineOf({ reviewers: [passing('a')], store }).run('task', { runId: 'r' });
    const done: string[] = [];
    const work = (said: string) => async () => {
      done.push(said);
      return said;
    };
    expect(await once(store, 'one', work('first'))).toBe('first');
    expect(await once(store, 'one', work('second'))).toBe('first');
    expect(await once(store, 'two', work('third'))).toBe('third');
    expect(done).toEqual(['first', 'third']);
    expect((await store.read('r'))?.at(-2)).toMatchObject({
      type: 'step',
      name: 'after',
      input: 'two',
      value: 'third',
      at: 7,
    });
  });

  it('that fails is not recorded, and the run can be opened again', async () => {
    const store = memoryStore();
    await expect(once(store, 'one', () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    );
    await expect(once(store, 'one', async () => 1 as never)).rejects.toThrow();
    expect(await once(store, 'one', async () => 'done')).toBe('done');
  });
});

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ['in memory', async () => memoryStore()],
  ['of files', async () => fileStore(emptyDirectory())],
];

it.each(stores)(
  'a store %s lists a run as ended, also after work that follows it',
  async (_, made) => {
    const store = await made();
    let produced = 0;
    const pipeline = pipelineOf({
      produce: async (_task, { reportUsage }) => {
        reportUsage({ totalTokens: 5 });
        produced += 1;
        return 'x';
      },
      store,
    });
    const { status, usage } = await pipeline.run('task', { runId: 'r' });
    expect(status).toBe('approved');
    const done: string[] = [];
    for (const input of ['one', 'two', 'two'])
      await once(store, input, async () => {
        done.push(input);
        return input;
      });
    expect(done).toEqual(['one', 'two']);
    expect(await store.list()).toMatchObject([{ runId: 'r', status: 'approved' }]);
    expect((await store.orphans?.({ limit: 9, olderThanMs: 0 }))?.runs ?? []).toEqual([]);
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'approved', usage });
    expect(produced).toBe(1);
  },
);

it('what a store is given to keep reads back from JSON as it was, and cannot be changed by the work that made it', async () => {
  const given: JournalRecord[] = [];
  const store = storeWith((journal) => ({
    append: async (record) => {
      given.push(record);
      await journal.append(record);
    },
  }));
  const pages = ['one'];
  const pipeline = pipelineOf({
    produce: async (_, context) => {
      const schema = z.array(z.string());
      const mine = await context.step('pages', { input: 0, schema }, async () => pages);
      pages.push('two');
      await context.step('free', { input: 1, schema: z.number() }, async () => {
        context.reportUsage({ inputTokens: 3 });
        return 1;
      });
      return mine.join();
    },
    criteria: { a: () => true },
    human: { policy: 'require' },
    store,
  });
  const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
  await pipeline.answer(requests[0], approve);
  const step = given.find((one) => one.type === 'step' && one.name.endsWith('/pages'));
  expect(step).toMatchObject({ value: ['one'] });
  expect(given.length).toBeGreaterThan(4);
  for (const record of given) expect(JSON.parse(JSON.stringify(record))).toStrictEqual(record);
});

/** Any value, as it is. */
const anything = z.custom<string[]>(() => true);

describe('the value of a step', () => {
  it('can be changed by the work that gets it, also once it is replayed', async () => {
    const pipeline = pipelineOf({
      produce: async (_, context) => {
        const lines = await context.step('lines', { input: 0, schema: anything }, async () => [
          'a',
        ]);
        lines.push('b');
        if (isFirst) throw new Error('no model');
        return lines.join();
      },
      reviewers: [passing('judge')],
    });
    let isFirst = true;
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('failed');
    isFirst = false;
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({
      status: 'approved',
      output: 'a,b',
    });
  });

  it('is known to the next try of a judge, however slowly the store writes', async () => {
    const calls: string[] = [];
    const slow = storeWith((journal) => ({
      append: async (record) => {
        await Promise.resolve();
        await journal.append(record);
      },
    }));
    const work = async (context: ReviewerContext) => {
      for (const name of ['read', 'judge'])
        await context.step(name, { input: 0, schema: text }, async () => {
          calls.push(name);
          if (calls.length === 2) throw new Error('no model');
          return name;
        });
    };
    const pipeline = pipelineOf({ work, retries: 1, store: slow });
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('approved');
    expect(calls).toEqual(['read', 'judge', 'judge']);
  });
});
