import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  limiter,
  memoryStore,
  type ReviewerContext,
  ReviewLoopError,
  type Store,
} from '../../../src/index.js';
import { storeErrors } from '../../../src/stores/errors.js';
import { failed, passed, reviewer, suspended } from './support.js';

const text = z.string();

/** Runs one reviewer once and gives what its context did. */
async function within(work: (context: ReviewerContext) => Promise<unknown>, more: object = {}) {
  const outcome = await definePipeline<string, string>({
    produce: async () => 'output',
    reviewers: [
      reviewer('r', async (_, context) => {
        await work(context);
        return [passed('r')];
      }),
    ],
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

  it('refuses a name that is used twice', async () => {
    const { error } = await within(async (context) => {
      await context.step('a', { input: 1, schema: text }, async () => 'x');
      await context.step('a', { input: 2, schema: text }, async () => 'x');
    });
    expect(error?.code).toBe('step_reused');
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
    const outcome = await definePipeline<string, string>({
      produce: async (_, context) =>
        context.step('draft', { input: 0, schema: text }, async () => 'a'),
      address: async (output, _gaps, context) =>
        context.step('fix', { input: 0, schema: text }, async () => `${output}b`),
      reviewers: [
        reviewer<string>('r', async ({ output }, context) => [
          (await context.step('call', { input: 0, schema: text }, async () => output)).includes('b')
            ? passed('r')
            : failed('r'),
        ]),
      ],
      limiter: limiter({ concurrency: 1 }),
    }).run('task');
    expect(outcome).toMatchObject({ approved: true, output: 'ab' });
  });

  it('is tried again on resume when it failed, with the next attempt number, and replayed when it succeeded', async () => {
    const store = memoryStore();
    const attempts: number[] = [];
    let good = 0;
    const make = () =>
      definePipeline<string, string>({
        produce: async () => 'output',
        retries: 0,
        store,
        reviewers: [
          reviewer('r', async (_, context) => {
            await context.step('good', { input: 0, schema: text }, async () => {
              good += 1;
              return 'x';
            });
            await context.step('flaky', { input: 0, schema: text }, async ({ attempt }) => {
              attempts.push(attempt);
              if (attempt < 3) throw new Error('down');
              return 'x';
            });
            return [passed('r')];
          }),
        ],
      });
    expect((await make().run('task', { runId: 'r' })).status).toBe('inconclusive');
    expect((await make().run('task', { runId: 'r' })).status).toBe('inconclusive');
    expect((await make().run('task', { runId: 'r' })).status).toBe('approved');
    expect(attempts).toEqual([1, 2, 3]);
    expect(good).toBe(1);
  });

  it('is done again when its input, or the version of its reviewer, has changed', async () => {
    const store = memoryStore();
    let calls = 0;
    let checks = 0;
    const run = (prompt: string, version: string) =>
      definePipeline<string, string>({
        produce: async () => 'output',
        store,
        reviewers: [
          reviewer('stepping', async (_, context) => {
            await context.step('call', { input: prompt, schema: text }, async () => {
              calls += 1;
              return 'x';
            });
            return [passed('stepping')];
          }),
          reviewer(
            'checking',
            async (_, context) => {
              await context.check(text, async () => {
                checks += 1;
                return 'x';
              });
              return [passed('checking')];
            },
            { version },
          ),
        ],
      }).run('task', { runId: 'r' });
    await run('a', '1');
    await run('a', '1');
    expect([calls, checks]).toEqual([1, 1]);
    await run('b', '1');
    expect([calls, checks]).toEqual([2, 1]);
    await run('b', '2');
    expect([calls, checks]).toEqual([2, 2]);
  });

  it('counts usage once: live, when resumed, and with the steps of produce', async () => {
    const store = memoryStore();
    const pipeline = () =>
      definePipeline<string, string>({
        produce: async (_, context) => {
          await context.step('call', { input: 0, schema: text }, async () => {
            context.reportUsage({ inputTokens: 5, outputTokens: 1 });
            return 'x';
          });
          context.reportUsage({ totalTokens: 4, costUsd: 0.5 });
          return 'output';
        },
        store,
        reviewers: [
          reviewer('r', async (_, context) => {
            await context.step('call', { input: 0, schema: text }, async () => {
              context.reportUsage({ totalTokens: 7 });
              return 'x';
            });
            context.reportUsage({ totalTokens: 1 });
            return [passed('r')];
          }),
        ],
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
    const pipeline = definePipeline<string, string>({ produce, criteria: { a: () => true } });
    const first = pipeline.run('one', { runId: 'r' });
    await expect(pipeline.run('one', { runId: 'r' })).rejects.toMatchObject({ code: 'run_busy' });
    await first;
    await expect(pipeline.run('two', { runId: 'r' })).rejects.toMatchObject({
      code: 'run_conflict',
    });
  });

  it('gives the same outcome again without producing again', async () => {
    const { produce, made } = produceOnce();
    const pipeline = definePipeline<string, string>({ produce, criteria: { a: async () => true } });
    const first = await pipeline.run('one', { runId: 'r' });
    const again = await pipeline.run('one', { runId: 'r' });
    expect(again.output).toBe(first.output);
    expect(made()).toBe(1);
  });

  it('lists runs by status, and forgets those whose id nobody chose', async () => {
    const store = memoryStore();
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => true },
      store,
    });
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
      const outcome = await definePipeline<string, string>({
        produce,
        address: async (output) => `${output}!`,
        criteria: { a: async (output) => output.includes('!') || 'no' },
        store: full(memoryStore(), writes),
      }).run('task', { runId: 'r' });
      expect(outcome, `after ${writes} writes`).toMatchObject({
        status: 'failed',
        approved: false,
        code: 'journal_write_failed',
      });
      if (writes >= 3) expect(outcome.output).toMatch(/^v1/);
    }
  });

  it('keeps the code of an error that the store has named', async () => {
    const fenced: Store = {
      ...memoryStore(),
      open: async () => ({
        records: [],
        close: () => undefined,
        append: async () => {
          throw new ReviewLoopError(storeErrors.journal_fenced, 'another process took over');
        },
      }),
    };
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => true },
      store: fenced,
    }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'journal_fenced' });
  });

  it('keeps a step that answered while another waits for a person', async () => {
    let paid = 0;
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('both', async (_, context) => {
          const [answer] = await Promise.all([
            context.ask('go', { question: 'go?', allowed: ['approve', 'reject'], gaps: [] }),
            context.step('call', { input: 0, schema: text }, async () => {
              paid += 1;
              return 'x';
            }),
          ]);
          return [answer.kind === 'approve' ? passed('both') : failed('both')];
        }),
      ],
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(paid).toBe(1);
    expect(
      await pipeline.answer(waiting.requests[0], { kind: 'approve', by: 'ann' }),
    ).toMatchObject({ approved: true });
    expect(paid).toBe(1);
  });
});

/** A store whose disk is full after some writes. */
function full(store: Store, writes: number): Store {
  let left = writes;
  return {
    ...store,
    open: async (runId, keep) => {
      const journal = await store.open(runId, keep);
      return {
        ...journal,
        append: async (record) => {
          if (left-- <= 0)
            throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
          await journal.append(record);
        },
      };
    },
  };
}
