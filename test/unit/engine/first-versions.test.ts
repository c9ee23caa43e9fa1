import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore, type Policy } from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const approve = { kind: 'approve', by: 'Ann' } as const;

/** Begins anew as long as something fails. */
const anew: Policy = ({ review }) => {
  const [gap] = review.gaps;
  return gap === undefined
    ? { kind: 'approve', reason: 'fine' }
    : { kind: 'revise', reason: 'again', from: 'anew', blocking: [gap] };
};

describe('a run that begins with other first versions', () => {
  it('makes each once, and a continued run takes each from its own record', async () => {
    let made = 0;
    const pipeline = definePipeline<string, string>({
      produce: async () => {
        made += 1;
        return `draft ${made}`;
      },
      reviewers: [
        reviewer<string>('third', async ({ output }) => [
          output === 'draft 3' ? passed('third') : failed('third'),
        ]),
      ],
      policy: anew,
      budget: { reviews: 5 },
      human: { policy: 'require' },
      store: memoryStore(),
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    const outcome = await pipeline.answer(waiting.requests[0], approve);
    expect(outcome).toMatchObject({ status: 'approved', output: 'draft 3' });
    const versions = waiting.reviews.map(({ version }) => version);
    expect(new Set(versions).size).toBe(3);
    expect(outcome.reviews.map(({ version }) => version)).toEqual(versions);
    expect(made).toBe(3);
  });
});

describe('an answer to a run', () => {
  it('needs a pipeline that has `produce`, as the run did', async () => {
    const store = memoryStore();
    const pipeline = (produce?: () => string) =>
      definePipeline<string, string>({
        ...(produce && { produce }),
        criteria: { fine: () => true },
        human: { policy: 'require' },
        store,
      });
    const { requests } = suspended(await pipeline(() => 'x').run('task', { runId: 'r' }));
    expect(await pipeline().answer(requests[0], approve)).toMatchObject({
      status: 'failed',
      code: 'no_produce',
    });
  });
});

describe('produce', () => {
  it('may change the task that it gets, which changes it for nobody else', async () => {
    const given = { topic: 'tea', notes: ['short'] };
    const seen: unknown[] = [];
    const outcome = await definePipeline<typeof given, string>({
      produce: async (task) => {
        task.notes.push('green');
        task.topic = 'coffee';
        return 'x';
      },
      reviewers: [
        {
          id: 'r',
          version: '1',
          tier: 'code',
          review: async ({ task }) => {
            seen.push(task);
            return [passed('r')];
          },
        },
      ],
    }).run(given);
    expect(outcome.status).toBe('approved');
    expect(seen).toEqual([{ topic: 'tea', notes: ['short'] }]);
    expect(given).toEqual({ topic: 'tea', notes: ['short'] });
  });
});

describe('the event for the end of a review', () => {
  it('has the review, its place, and whether its version is now the best', async () => {
    const told: unknown[] = [];
    const next = ['worse', 'good'];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: async () => next.shift() ?? '',
      reviewers: [
        reviewer<string>('a', async ({ output }) => [
          output === 'good' ? passed('a') : failed('a', `wrong: ${output}`),
        ]),
        reviewer<string>('b', async ({ output }) => [
          output === 'worse' ? failed('b') : passed('b'),
        ]),
      ],
    }).run('task', {
      on: {
        'review-end': ({ iteration, review, best }) => told.push([iteration, review, best]),
      },
    });
    expect(outcome.reviews).toHaveLength(3);
    expect(told).toEqual(outcome.reviews.map((review, i) => [i + 1, review, i !== 1]));
  });
});

describe('a review without a run', () => {
  it('makes the steps of its reviewers, each the first try', async () => {
    const attempts: number[] = [];
    const review = await definePipeline<string, string>({
      reviewers: [
        reviewer('r', async (_, context) => {
          await context.step('one', { input: 0, schema: z.string() }, async ({ attempt }) => {
            attempts.push(attempt);
            return 'x';
          });
          return [passed('r')];
        }),
      ],
    }).review('task', 'output');
    expect(review.decision).toMatchObject({ kind: 'approve' });
    expect(attempts).toEqual([1]);
  });
});
