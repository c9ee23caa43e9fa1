import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type Gap,
  memoryStore,
  type Policy,
  ReviewLoopError,
} from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

const revising = (gapsOf: (gaps: readonly Gap[]) => readonly Gap[]): Policy => {
  return ({ review }) =>
    review.gaps.length === 0
      ? { kind: 'approve', reason: 'no gap' }
      : {
          kind: 'revise',
          reason: 'on',
          from: 'latest',
          blocking: gapsOf(review.gaps) as readonly [Gap, ...Gap[]],
        };
};

describe('a revision', () => {
  it('is told the open gaps that block, and none that is disputed or waived', async () => {
    const told: string[][] = [];
    const judge = (id: string, more: object) =>
      reviewer<string>(id, async ({ output }) => [
        output === 'better' ? passed(id) : failed(id, id, more),
      ]);
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (_output, gaps) => {
        told.push(gaps.map(({ description }) => description));
        return 'better';
      },
      reviewers: [
        judge('open', {}),
        judge('disputed', { standing: 'disputed' }),
        judge('waived', { standing: 'waived' }),
      ],
      policy: revising((gaps) => gaps),
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'better' });
    expect(told).toEqual([['open']]);
    const [review] = outcome.reviews;
    expect(review?.decision).toMatchObject({ kind: 'revise', blocking: [{ description: 'open' }] });
  });

  it('that names no gap is none', async () => {
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: async () => 'y',
      reviewers: [reviewer<string>('a', async () => [failed('a')])],
      policy: revising(() => []),
    }).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'nothing_to_revise', output: 'x' });
  });

  it.each<[string, unknown, unknown]>([
    ['an array for an object', { a: 1 }, [1]],
    ['an object for an array', [1], { a: 1 }],
    ['a text for an object', { a: 1 }, 'a'],
  ])('that gives %s is refused, and the version before it comes back', async (_, first, next) => {
    const outcome = await definePipeline<string, unknown>({
      produce: async () => first,
      address: async () => next,
      criteria: { a: () => 'no' },
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'address_invalid',
      output: first,
      error: { value: next },
    });
  });

  it('ends the run as exhausted if it sets aside more than the budget has', async () => {
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (_output, _gaps, context) => {
        context.budget.reserve({ costUsd: 2 });
        return 'y';
      },
      criteria: { a: () => 'no' },
      budget: { costUsd: 1 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_cost', output: 'x' });
  });

  it('fails with the code that `address` gave its error', async () => {
    const error = new ReviewLoopError('budget_exceeded', 'a limit of the caller');
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: () => Promise.reject(error),
      criteria: { a: () => 'no' },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'budget_exceeded', output: 'x' });
  });

  it('that begins anew is another first version, whose gaps are all new', async () => {
    const made: string[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async (_task, context) => {
        made.push(`produced in ${context.iteration}`);
        return `v${made.length}`;
      },
      address: async () => {
        made.push('addressed');
        return 'never';
      },
      reviewers: [
        reviewer<string>('a', async ({ output }) => [
          output === 'v3' ? passed('a') : failed('a', 'the same'),
        ]),
      ],
      policy: ({ review }) =>
        review.gaps[0] === undefined
          ? { kind: 'approve', reason: 'no gap' }
          : { kind: 'revise', reason: 'again', from: 'anew', blocking: [review.gaps[0]] },
      store: memoryStore(),
    });
    const outcome = await pipeline.run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'approved', output: 'v3' });
    expect(made).toEqual(['produced in 1', 'produced in 1', 'produced in 2']);
    expect(outcome.reviews.map(({ parent }) => parent)).toEqual([undefined, undefined, undefined]);
    await pipeline.run('task', { runId: 'r' });
    expect(made).toHaveLength(3);
  });

  it('that cannot begin anew fails with the best version', async () => {
    let times = 0;
    const outcome = await definePipeline<string, string>({
      produce: async () => {
        times += 1;
        if (times > 1) throw new Error('no other idea');
        return 'first';
      },
      criteria: { a: () => 'no' },
      policy: ({ review: { gaps } }) => ({
        kind: 'revise',
        reason: 'again',
        from: 'anew',
        blocking: [gaps[0] as Gap],
      }),
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed', output: 'first' });
  });
});
