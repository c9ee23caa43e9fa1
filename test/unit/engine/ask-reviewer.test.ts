import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { afterFaults } from '@/engine/ask-reviewer.js';
import {
  type Assessment,
  memoryStore,
  memoryVerdicts,
  type PipelineOptions,
  type Reviewer,
  type ReviewerContext,
  ReviewLoopError,
  type ReviewSubject,
  type Store,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock, settle } from '@/testing/index.js';
import { erroredBy } from '../../support/matchers.js';
import { throwing } from '../../support/throwing.js';
import {
  deferred,
  failed,
  never,
  passed,
  passing,
  pipelineOf,
  reviewer,
  storeWith,
  suspended,
  working,
} from './support.js';
import '@/engine/record-failure.js';
import '@/engine/run-lessons.js';
import '@/engine/ask-reviewer.js';

const Yes = z.boolean();

type Work = (context: ReviewerContext, clock: ReturnType<typeof fakeClock>) => unknown;

const down = () => Promise.reject(new Error('no model'));

const attempts = async (store: Store) =>
  (await store.read('r'))?.flatMap((record) => (record.type === 'attempt' ? [record.name] : []));

describe('a judge between its calls', () => {
  const running = async (work: Work, seconds: number) => {
    const clock = fakeClock();
    const options = { clock, retries: 0, timeouts: { checkMs: 1000 } };
    const promise = pipelineOf({ work: (context) => work(context, clock), ...options }).run('task');
    for (let step = 0; step < seconds * 10; step += 1) await clock.advanceAsync(100);
    return (await promise).reviews[0]?.assessments[0];
  };

  it('may take its time as long as it makes calls', async () => {
    const found = await running(async (context, clock) => {
      for (let call = 0; call < 6; call += 1) {
        await new Promise<void>((resolve) => void clock.after(700, resolve));
        await context.check(Yes, async () => true, `call ${call}`);
      }
    }, 6);
    expect(found).toMatchObject({ verdict: 'pass' });
  });

  it.each<[string, Work]>([
    ['a call that failed', ({ check }) => check(Yes, () => down()).catch(() => {})],
    ['it waited for the call of another one', ({ join }) => join(Promise.resolve())],
  ])('is given up if it hangs after %s', async (_, work) => {
    const found = await running(async (context, clock) => {
      await work(context, clock);
      return never();
    }, 4);
    expect(found).toMatchObject(erroredBy('timeout'));
  });
});

describe('the record of a judge', () => {
  it('has a failed call as an attempt, and no check by code', async () => {
    const store = memoryStore();
    await pipelineOf({
      work: async (context) => {
        await context.check(Yes, throwing('no'), 'code').catch(() => {});
        await context.check(Yes, down, 'model').catch(() => {});
      },
      ...{ store, retries: 0 },
    }).run('task', { runId: 'r' });
    expect(await attempts(store)).toEqual(['iter:1/review:judge/model']);
  });

  it('says in short how a call failed, and what it used', async () => {
    const store = memoryStore();
    await pipelineOf({
      work: async ({ check, reportUsage }) => {
        const long = async () => Promise.reject(new Error('no'.repeat(2000)));
        const busy = async () => {
          reportUsage({ totalTokens: 3 });
          throw new ReviewLoopError('timeout', 'the model is busy');
        };
        await check(Yes, long, 'long').catch(() => {});
        await check(Yes, busy, 'busy').catch(() => {});
      },
      ...{ store, clock: fakeClock(7), retries: 0 },
    }).run('task', { runId: 'r' });
    const attempt = { type: 'attempt', input: expect.any(String), at: 7 };
    const records = (await store.read('r'))?.filter(({ type }) => type === 'attempt');
    expect(records).toStrictEqual([
      { ...attempt, name: 'iter:1/review:judge/long', code: 'error', message: 'no'.repeat(1000) },
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
    const outcome = await pipelineOf({
      work: async (context) => {
        const call = async () => {
          made += 1;
          context.reportUsage({ totalTokens: 20 });
          return true;
        };
        for (const name of ['one', 'two']) await context.check(Yes, call, name);
      },
      ...{ store, budget: { tokens: 10 }, retries: 0 },
    }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens' });
    expect(made).toBe(1);
    expect(await attempts(store)).toEqual([]);
  });

  it('has what a call set aside and used, so that it belongs to its review in every process', async () => {
    const pipeline = pipelineOf({
      work: (context) =>
        context.check(Yes, async () => {
          const { settle } = context.budget.reserve({ totalTokens: 100 });
          settle({ totalTokens: 70 });
          return true;
        }),
      ...{ store: memoryStore(), human: { policy: 'require' }, retries: 0 },
    });
    for (let times = 0; times < 3; times += 1) {
      const outcome = await pipeline.run('task', { runId: 'r' });
      expect(outcome.usage.review).toEqual({ totalTokens: 70 });
      expect(outcome.reviews[0]?.usage).toEqual({ totalTokens: 70 });
    }
  });
});

it('a continued run replays nothing any more once a call is made again', async () => {
  const store = memoryStore();
  let isDown = true;
  const work = ({ check }: ReviewerContext) => check(Yes, async () => (isDown ? down() : true));
  const pipeline = pipelineOf({ work, store, retries: 0 });
  expect((await pipeline.run('task', { runId: 'r' })).status).toBe('inconclusive');
  isDown = false;
  const heard: unknown[] = [];
  const hear = ({ replayed }: { readonly replayed?: true }): void => void heard.push(replayed);
  const on = { 'reviewer-start': hear, 'reviewer-end': hear };
  expect((await pipeline.run('task', { runId: 'r', on })).status).toBe('approved');
  expect(heard).toEqual([true, undefined]);
});

describe('the verdict that other runs take', () => {
  it('is that of a judge which waited for the call of another one', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    const run = () => {
      const call = deferred<void>();
      return pipelineOf({
        reviewers: [
          working('leads', async (context) => {
            asked.push('leads');
            await context.check(Yes, async () => true);
            call.resolve();
          }),
          working('joins', async (context) => {
            asked.push('joins');
            await context.join(call.promise);
          }),
        ],
        verdicts,
      }).run('task');
    };
    await run();
    await run();
    expect(asked).toEqual(['leads', 'joins']);
  });

  it('is taken by a single review too, and given by it', async () => {
    const verdicts = memoryVerdicts();
    let made = 0;
    const pipeline = pipelineOf({
      work: async (context) => {
        await context.check(Yes, async () => true);
        made += 1;
      },
      ...{ verdicts, retries: 0 },
    });
    for (let times = 0; times < 2; times += 1)
      expect((await pipeline.review('task', 'x')).decision.kind).toBe('approve');
    expect(made).toBe(1);
  });
});

const reviewing = (
  judge: Reviewer<unknown, string>,
  more: Partial<PipelineOptions<string, string>> = {},
) => pipelineOf({ reviewers: [judge], ...more });

/** A criterion that a judge could not judge, this time or ever. */
const broken = (criterion: string, retryable: boolean) =>
  ({
    verdict: 'errored',
    criterion,
    error: new ReviewLoopError('reviewer_threw', 'no model', { retryable }),
  }) as const;

/** A judge that cancels its run in the first time that it is asked, and ends later. */
function cancelling(first: () => Assessment[], later: () => Assessment[] = first) {
  const { promise, resolve } = deferred<void>();
  const stop = new AbortController();
  let asked = 0;
  const judge = reviewer<string>('judge', async () => {
    asked += 1;
    if (asked > 1) return later();
    stop.abort(new Error('enough'));
    await promise;
    return first();
  });
  const cancelled = async (more: Partial<PipelineOptions<string, string>>) => {
    const pipeline = reviewing(judge, more);
    expect((await pipeline.run('task', { signal: stop.signal })).status).toBe('cancelled');
    resolve();
    await settle();
    return pipeline;
  };
  return { cancelled, asked: () => asked };
}

describe('a judge', () => {
  it('gets the task, the output and the number of the review, and nothing else', async () => {
    const subjects: ReviewSubject<unknown, string>[] = [];
    const judge = reviewer<string>('judge', async (subject) => {
      subjects.push(subject);
      return [passed('judge')];
    });
    await reviewing(judge).run('task');
    expect(subjects).toStrictEqual([{ task: 'task', output: 'x', iteration: 1 }]);
  });

  it('is asked again if one of its criteria may do better', async () => {
    let asked = 0;
    const judge = reviewer<string>('judge', async () => {
      asked += 1;
      return [passed('short'), asked === 1 ? broken('polite', true) : passed('polite')];
    });
    const outcome = await reviewing(judge, { retries: 1 }).run('task');
    expect(outcome.status).toBe('approved');
    expect(asked).toBe(2);
  });

  it('is not asked again once its run was cancelled', async () => {
    const { cancelled, asked } = cancelling(throwing('aborted'));
    await cancelled({ retries: 3 });
    expect(asked()).toBe(1);
  });
});

describe('a verdict for later runs', () => {
  it('is not one that a judge gave after its run was cancelled', async () => {
    const { cancelled, asked } = cancelling(
      () => [passed('judge')],
      () => [failed('judge')],
    );
    const pipeline = await cancelled({ verdicts: memoryVerdicts() });
    expect((await pipeline.run('task')).approved).toBe(false);
    expect(asked()).toBe(2);
  });

  it('approves nothing where neither the store nor the log can be used', async () => {
    const broken = () => Promise.reject(new Error('no connection'));
    const warn = throwing('no log');
    const judge = passing('judge');
    const outcome = await reviewing(judge, {
      verdicts: { get: broken, put: broken },
      logger: { ...silentLogger, warn },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'inconclusive', code: 'judge_failed' });
    expect(outcome.review?.assessments).toMatchObject([
      { verdict: 'errored', criterion: 'judge', error: { code: 'reviewer_threw' } },
    ]);
  });

  it('approves nothing where the run cannot record that it used it', async () => {
    const verdicts = memoryVerdicts();
    const judge = passing('judge');
    await reviewing(judge, { verdicts }).run('task');
    const full = storeWith((journal) => ({
      append: async (record) => {
        if (record.type === 'step' && record.name.includes('/verdict:'))
          throw new Error('the disk is full');
        return journal.append(record);
      },
    }));
    const outcome = await reviewing(judge, { verdicts, store: full }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'journal_write_failed', reviews: [] });
  });
});

/** Runs a pipeline whose judge does this in its tries, with a second for each check. */
async function tried(...tries: readonly ((context: ReviewerContext) => Promise<unknown>)[]) {
  const clock = fakeClock();
  let count = 0;
  const running = pipelineOf({
    work: async (context) => {
      count += 1;
      await tries[count - 1]?.(context);
    },
    retries: tries.length - 1,
    timeouts: { checkMs: 1000 },
    clock,
  }).run('task');
  for (let second = 0; second < 10; second += 1) await clock.advanceAsync(1000);
  const [assessment] = (await running).reviews[0]?.assessments ?? [];
  return { assessment, count };
}

const hangs = (context: ReviewerContext): Promise<never> => context.check(z.never(), () => never());

describe('a judge that is tried again', () => {
  it('and has no time tells what used it up', async () => {
    const { assessment, count } = await tried(down, hangs);
    expect(count).toBe(2);
    expect(assessment).toMatchObject({
      verdict: 'errored',
      error: {
        code: 'timeout',
        retryable: true,
        cause: { code: 'reviewer_threw', cause: { message: 'no model' } },
      },
    });
    if (assessment?.verdict === 'errored')
      expect(assessment.error.message).toMatch(/'judge' .*no model/);
  });

  it('and has no time twice tells of the first time', async () => {
    let first: unknown;
    const { assessment } = await tried(
      (context) =>
        hangs(context).catch((error: unknown) => {
          first = error;
          throw error;
        }),
      hangs,
    );
    expect(first).toMatchObject({ code: 'timeout' });
    expect(assessment).toMatchObject({ verdict: 'errored' });
    if (assessment?.verdict === 'errored') expect(assessment.error).toBe(first);
  });

  it('and fails in another way tells that', async () => {
    const { assessment } = await tried(hangs, down);
    expect(assessment).toMatchObject({ verdict: 'errored', error: { code: 'reviewer_threw' } });
  });

  it('and answers has answered', async () => {
    const { assessment, count } = await tried(down, hangs, async () => {});
    expect(assessment).toMatchObject({ verdict: 'pass' });
    expect(count).toBe(3);
  });

  it('is not tried again if that cannot help', async () => {
    const { assessment, count } = await tried(
      throwing(new ReviewLoopError('reviewer_threw', 'the key is wrong', { retryable: false })),
      hangs,
    );
    expect(assessment).toMatchObject({ verdict: 'errored', error: { what: 'the key is wrong' } });
    expect(count).toBe(1);
  });
});

it('a judge that was given up counts for nothing when it answers after all', async () => {
  const clock = fakeClock();
  const late = deferred<void>();
  const other = new Promise<void>((resolve) => clock.after(2500, resolve));
  const heard: string[] = [];
  const running = pipelineOf({
    reviewers: [
      working('late', () => late.promise),
      working('busy', (context) => context.join(other)),
    ],
    retries: 0,
    timeouts: { checkMs: 1000 },
    clock,
  }).run('task', { on: { 'reviewer-end': ({ reviewer: id }) => void heard.push(id) } });
  for (let second = 0; second < 2; second += 1) await clock.advanceAsync(1000);
  expect(heard).toEqual(['late']);
  late.resolve();
  for (let second = 0; second < 2; second += 1) await clock.advanceAsync(1000);
  const outcome = await running;
  expect(heard).toEqual(['late', 'busy']);
  expect(outcome).toMatchObject({
    status: 'inconclusive',
    reviews: [{ assessments: [{ verdict: 'errored' }, { verdict: 'pass' }] }],
  });
});

it('a value that the schema of a check refuses is told with what it was and why, and may be better the next time', async () => {
  const values: unknown[] = [7, 'fine'];
  const tried: unknown[] = [];
  const pipeline = (retries: number) =>
    pipelineOf({
      work: async (context) => {
        await context.check(z.string(), async () => {
          tried.push(values[tried.length]);
          return tried.at(-1) as string;
        });
      },
      retries,
    });
  const outcome = await pipeline(0).run('task');
  expect(outcome.reviews[0]?.assessments[0]).toMatchObject({
    verdict: 'errored',
    error: {
      code: 'step_invalid',
      value: 7,
      retryable: true,
      cause: { issues: [{ code: 'invalid_type' }] },
    },
  });
  tried.length = 0;
  expect(await pipeline(1).run('task')).toMatchObject({ status: 'approved' });
  expect(tried).toEqual([7, 'fine']);
});

const errored = (
  criterion: string,
  code: 'timeout' | 'reviewer_threw',
  what: string,
): Assessment => ({ ...{ verdict: 'errored', criterion, error: new ReviewLoopError(code, what) } });

const textOf = (assessment: Assessment | undefined) =>
  assessment?.verdict === 'errored' ? assessment.error.message : assessment?.verdict;

describe('a timeout of the last try', () => {
  const late = errored('b', 'timeout', 'b timed out');

  it('names what used up the time of this very criterion', () => {
    const earlier = [
      errored('a', 'reviewer_threw', 'the key is wrong'),
      errored('b', 'reviewer_threw', 'no model'),
    ];
    const [now] = afterFaults([late], earlier);
    expect(textOf(now)).toContain('no model');
    expect(textOf(now)).not.toContain('the key is wrong');
  });

  it('is told as it is where the try before had a verdict, or none', () => {
    expect(afterFaults([late], [passed('b')])).toEqual([late]);
    expect(afterFaults([late], [])).toEqual([late]);
    expect(afterFaults([late], [errored('a', 'reviewer_threw', 'down')])).toEqual([late]);
  });

  it('leaves verdicts alone', () => {
    const now = [passed('b'), errored('c', 'reviewer_threw', 'down')];
    const earlier = [errored('b', 'timeout', 'late'), errored('c', 'timeout', 'late')];
    expect(afterFaults(now, earlier)).toEqual(now);
  });
});

describe('a reviewer', () => {
  it('stays as it was when its pipeline was defined [R2-047]', async () => {
    const late = {
      id: 'late',
      version: '1',
      tier: 'confirm' as Reviewer<unknown, string>['tier'],
      asked: 0,
      async review() {
        this.asked += 1;
        return [failed('late')];
      },
    };
    const after = { ...late, id: 'after', tier: 'code' as const, after: ['a'] };
    const reviewers = [passing('a'), late];
    const pipeline = pipelineOf({ reviewers });
    Object.assign(late, { tier: 'late', id: 'x', review: async () => [passed('late')] });
    reviewers.length = 0;
    after.after.push('b');
    const outcome = await pipeline.run('task');
    expect(late.asked).toBe(1);
    expect(outcome).toMatchObject({ approved: false, reviews: [{ complete: true }] });
  });

  it('that leaves a hole in its list has not answered [R2-054]', async () => {
    const holed: Assessment[] = [];
    holed[1] = passed('h');
    const outcome = await pipelineOf({
      reviewers: [reviewer<string>('h', async () => holed)],
      retries: 0,
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'inconclusive',
      reviews: [{ assessments: [{ verdict: 'errored', error: { code: 'reviewer_invalid' } }] }],
    });
  });
});

it('a version about which a person answered gives way to the version that was made of it: its tool runs once [R2-052]', async () => {
  const ran: string[] = [];
  const pipeline = pipelineOf({
    produce: async () => 'wait for the tool',
    address: async (output) => {
      if (output === 'wait for the tool') ran.push('tool');
      return output === 'wait for the tool' ? 'tool ran' : 'done';
    },
    reviewers: [
      reviewer<string>('tool', async ({ output }, context) => {
        if (output === 'wait for the tool')
          await context.ask('tool', { question: 'run it?', allowed: ['approve'], gaps: [] });
        return [output === 'done' ? passed('tool') : failed('tool', `not done: ${output}`)];
      }),
    ],
  });
  const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
  const outcome = await pipeline.answer(requests[0]!, { kind: 'approve', by: 'ann' });
  expect(ran).toEqual(['tool']);
  expect(outcome).toMatchObject({ status: 'approved', output: 'done' });
});
