import { describe, expect, it } from 'vitest';
import * as z from 'zod';
// loaded before the clock goes on: the engine loads them on first use
import '../../../src/engine/after-faults.js';
import '../../../src/engine/record-failure.js';
import { definePipeline, ReviewLoopError } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { never, passed, reviewer } from './support.js';

type Context = Parameters<ReturnType<typeof reviewer<string>>['review']>[1];

/** Runs a pipeline whose judge does this in its tries, with a second for each check. */
async function tried(...tries: readonly ((context: Context) => Promise<unknown>)[]) {
  const clock = fakeClock();
  let count = 0;
  const running = definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      reviewer<string>('judge', async (_, context) => {
        count += 1;
        await tries[count - 1]?.(context);
        return [passed('judge')];
      }),
    ],
    retries: tries.length - 1,
    timeouts: { checkMs: 1000 },
    clock,
  }).run('task');
  for (let second = 0; second < 10; second += 1) await clock.advanceAsync(1000);
  const [assessment] = (await running).reviews[0]?.assessments ?? [];
  return { assessment, count };
}

const down = async (): Promise<never> => {
  throw new Error('no model');
};
const hangs = (context: Context): Promise<never> => context.check(z.never(), () => never());

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
    const { assessment, count } = await tried(() => {
      throw new ReviewLoopError('reviewer_threw', 'the key is wrong', { retryable: false });
    }, hangs);
    expect(assessment).toMatchObject({ verdict: 'errored', error: { what: 'the key is wrong' } });
    expect(count).toBe(1);
  });
});

describe('a judge that was given up', () => {
  it('counts for nothing when it answers after all', async () => {
    const clock = fakeClock();
    let answer: () => void = () => {};
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const other = new Promise<void>((resolve) => clock.after(2500, resolve));
    const heard: string[] = [];
    const running = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer<string>('late', async () => {
          await late;
          return [passed('late')];
        }),
        reviewer<string>('busy', async (_, context) => {
          await context.join(other);
          return [passed('busy')];
        }),
      ],
      retries: 0,
      timeouts: { checkMs: 1000 },
      clock,
    }).run('task', {
      on: { 'reviewer-end': ({ reviewer: id }) => void heard.push(id) },
    });
    for (let second = 0; second < 2; second += 1) await clock.advanceAsync(1000);
    expect(heard).toEqual(['late']);
    answer();
    for (let second = 0; second < 2; second += 1) await clock.advanceAsync(1000);
    const outcome = await running;
    expect(heard).toEqual(['late', 'busy']);
    expect(outcome).toMatchObject({
      status: 'inconclusive',
      reviews: [{ assessments: [{ verdict: 'errored' }, { verdict: 'pass' }] }],
    });
  });
});
