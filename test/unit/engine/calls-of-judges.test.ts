import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definePipeline,
  type Logger,
  memoryStore,
  memoryVerdicts,
  type PipelineOptions,
  type Reviewer,
  ReviewLoopError,
  type Store,
} from '../../../src/index.js';
// loaded before the clock goes on: the engine loads them on first use
import '../../../src/engine/record-failure.js';
import '../../../src/engine/run-lessons.js';
import { fakeClock } from '../../../src/testing/index.js';
import { deferred, never, passed, reviewer, suspended } from './support.js';

const approve = { kind: 'approve', by: 'Ann' } as const;
const Yes = z.boolean();

const loop = (
  review: Reviewer<unknown, string>['review'],
  more: Partial<PipelineOptions<string, string>> = {},
) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [reviewer('judge', review)],
    retries: 0,
    ...more,
  });

const attempts = async (store: Store) =>
  (await store.read('r'))?.flatMap((record) => (record.type === 'attempt' ? [record.name] : []));

describe('a judge between its calls', () => {
  const running = async (review: Reviewer<unknown, string>['review'], seconds: number) => {
    const clock = fakeClock();
    const given = (output: Parameters<typeof review>[0], context: Parameters<typeof review>[1]) =>
      review(output, context);
    const promise = loop(given, { clock, timeouts: { checkMs: 1000 } }).run('task');
    for (let step = 0; step < seconds * 10; step += 1) await clock.advanceAsync(100);
    return (await promise).reviews[0]?.assessments[0];
  };

  it('may take its time as long as it makes calls', async () => {
    const clock = fakeClock();
    const wait = (ms: number): Promise<void> =>
      new Promise((resolve) => void clock.after(ms, resolve));
    const promise = loop(
      async (_, context) => {
        for (let call = 0; call < 6; call += 1) {
          await wait(700);
          await context.check(Yes, async () => true, `call ${call}`);
        }
        return [passed('judge')];
      },
      { clock, timeouts: { checkMs: 1000 } },
    ).run('task');
    for (let step = 0; step < 60; step += 1) await clock.advanceAsync(100);
    expect(await promise).toMatchObject({ status: 'approved' });
  });

  it('is given up if it hangs after a call that failed', async () => {
    const found = await running(async (_, context) => {
      await context.check(Yes, async () => Promise.reject(new Error('no model'))).catch(() => {});
      return never();
    }, 4);
    expect(found).toMatchObject({ verdict: 'errored', error: { code: 'timeout' } });
  });

  it('is given up if it hangs after it waited for the call of another one', async () => {
    const found = await running(async (_, context) => {
      await context.join(Promise.resolve());
      return never();
    }, 4);
    expect(found).toMatchObject({ verdict: 'errored', error: { code: 'timeout' } });
  });
});

describe('the record of a judge', () => {
  it('has a failed call as an attempt, and no check by code', async () => {
    const store = memoryStore();
    await loop(
      async (_, context) => {
        const failing = (name: string, work: () => boolean | Promise<boolean>) =>
          context.check(Yes, work, name).catch(() => {});
        await failing('code', () => {
          throw new Error('no');
        });
        await failing('model', async () => Promise.reject(new Error('no')));
        return [passed('judge')];
      },
      { store },
    ).run('task', { runId: 'r' });
    expect(await attempts(store)).toEqual(['iter:1/review:judge/model']);
  });

  it('says in short how a call failed, and what it used', async () => {
    const store = memoryStore();
    await loop(
      async (_, context) => {
        await context
          .check(Yes, async () => Promise.reject(new Error('no'.repeat(2000))), 'long')
          .catch(() => {});
        await context
          .check(
            Yes,
            async () => {
              context.reportUsage({ totalTokens: 3 });
              throw new ReviewLoopError('timeout', 'the model is busy');
            },
            'busy',
          )
          .catch(() => {});
        return [passed('judge')];
      },
      { store, clock: fakeClock(7) },
    ).run('task', { runId: 'r' });
    const attempt = { type: 'attempt', input: expect.any(String), at: 7 };
    const records = (await store.read('r'))?.filter(({ type }) => type === 'attempt');
    expect(records).toStrictEqual([
      {
        ...attempt,
        name: 'iter:1/review:judge/long',
        code: 'error',
        message: 'no'.repeat(1000),
      },
      {
        ...attempt,
        name: 'iter:1/review:judge/busy',
        code: 'timeout',
        message: 'the model is busy',
        usage: { totalTokens: 3 },
      },
    ]);
  });

  it('has no call that the budget refused', async () => {
    const store = memoryStore();
    let made = 0;
    const outcome = await loop(
      async (_, context) => {
        for (const name of ['one', 'two'])
          await context.check(
            Yes,
            async () => {
              made += 1;
              context.reportUsage({ totalTokens: 20 });
              return true;
            },
            name,
          );
        return [passed('judge')];
      },
      { store, budget: { tokens: 10 } },
    ).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens' });
    expect(made).toBe(1);
    expect(await attempts(store)).toEqual([]);
  });

  it('has what a call set aside and used, so that it belongs to its review in every process', async () => {
    const pipeline = loop(
      async (_, context) => {
        await context.check(Yes, async () => {
          const { settle } = context.budget.reserve({ totalTokens: 100 });
          settle({ totalTokens: 70 });
          return true;
        });
        return [passed('judge')];
      },
      { store: memoryStore(), human: { policy: 'require' } },
    );
    for (let times = 0; times < 3; times += 1) {
      const outcome = await pipeline.run('task', { runId: 'r' });
      expect(outcome.usage.review).toEqual({ totalTokens: 70 });
      expect(outcome.reviews[0]?.usage).toEqual({ totalTokens: 70 });
    }
  });
});

describe('a continued run', () => {
  it('replays nothing any more once a call is made again', async () => {
    const store = memoryStore();
    let isDown = true;
    const pipeline = loop(
      async (_, context) => {
        await context.check(Yes, async () => {
          if (isDown) throw new Error('down');
          return true;
        });
        return [passed('judge')];
      },
      { store },
    );
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('inconclusive');
    isDown = false;
    const heard: unknown[] = [];
    const hear = ({ replayed }: { readonly replayed?: true }): void => void heard.push(replayed);
    const on = { 'reviewer-start': hear, 'reviewer-end': hear };
    expect((await pipeline.run('task', { runId: 'r', on })).status).toBe('approved');
    expect(heard).toEqual([true, undefined]);
  });
});

describe('the verdict that other runs take', () => {
  it('is that of a judge which waited for the call of another one', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    const run = () => {
      const call = deferred<void>();
      return definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer('leads', async (_, context) => {
            asked.push('leads');
            await context.check(Yes, async () => true);
            call.resolve();
            return [passed('leads')];
          }),
          reviewer('joins', async (_, context) => {
            asked.push('joins');
            await context.join(call.promise);
            return [passed('joins')];
          }),
        ],
        verdicts,
      }).run('task');
    };
    await run();
    await run();
    expect(asked).toEqual(['leads', 'joins']);
  });

  it('is also that of a judge whose calls were replayed', async () => {
    const store = memoryStore();
    const verdicts = memoryVerdicts();
    let made = 0;
    const review: Reviewer<unknown, string>['review'] = async (_, context) => {
      await context.check(Yes, async () => {
        made += 1;
        return true;
      });
      return [passed('judge')];
    };
    const human = { policy: 'require' } as const;
    const waiting = suspended(await loop(review, { store, human }).run('task', { runId: 'r' }));
    await loop(review, { store, human, verdicts }).answer(waiting.requests[0], approve);
    const other = await loop(review, { verdicts }).run('task');
    expect(other.reviews[0]?.reused?.verdicts).toBe(1);
    expect(made).toBe(1);
  });

  it('is taken by a single review too, and given by it', async () => {
    const verdicts = memoryVerdicts();
    let made = 0;
    const pipeline = loop(
      async (_, context) => {
        await context.check(Yes, async () => true);
        made += 1;
        return [passed('judge')];
      },
      { verdicts },
    );
    for (let times = 0; times < 2; times += 1)
      expect((await pipeline.review('task', 'x')).decision.kind).toBe('approve');
    expect(made).toBe(1);
  });
});

describe('lessons', () => {
  it('are read once for a run that is continued', async () => {
    let reads = 0;
    const told: string[] = [];
    const pipeline = loop(async () => [passed('judge')], {
      produce: async (_, { lessons }) => {
        told.push(lessons);
        return 'x';
      },
      learn: {
        relevantTo: async () => {
          reads += 1;
          return `lesson ${reads}`;
        },
      },
      human: { policy: 'require' },
      store: memoryStore(),
    });
    for (let times = 0; times < 2; times += 1) await pipeline.run('task', { runId: 'r' });
    expect([reads, told]).toEqual([1, ['lesson 1']]);
  });

  it('that do not come in time are left out, and the log says why', async () => {
    const clock = fakeClock();
    const lines: object[] = [];
    const quiet = (): void => {};
    const logger: Logger = {
      ...{ debug: quiet, info: quiet, error: quiet },
      warn: (fields) => void lines.push(fields),
    };
    const running = loop(async () => [passed('judge')], {
      learn: { relevantTo: () => never() },
      timeouts: { checkMs: 1000 },
      clock,
      logger,
    }).run('task', { runId: 'r' });
    for (let turn = 0; turn < 40; turn += 1) await new Promise((next) => setImmediate(next));
    await clock.advanceAsync(1000);
    expect(await running).toMatchObject({ status: 'approved' });
    expect(lines).toEqual([{ run: 'r', error: expect.stringContaining('1000') }]);
  });
});
