import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startRun } from '../../../src/engine/run-pipeline.js';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type Policy,
} from '../../../src/index.js';
import { defined } from '../../../src/pipeline/define-pipeline.js';
import { failed, passed, reviewer, suspended } from './support.js';

const run = (more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async () => 'draft',
    criteria: { a: () => 'no' },
    ...more,
  }).run('task');

describe('how a run ends', () => {
  it('is an approval if the policy approves, with its reason', async () => {
    expect(await run({ policy: () => ({ kind: 'approve', reason: 'fine' }) })).toMatchObject({
      status: 'approved',
      code: 'approved',
      approved: true,
      reason: 'fine',
    });
  });

  it('is an acceptance by the policy if the reviewers only advise', async () => {
    const outcome = await run({ policy: () => ({ kind: 'accept', code: 'advice', reason: 'ok' }) });
    expect(outcome).toMatchObject({
      status: 'accepted',
      code: 'advice',
      approved: false,
      acceptance: { kind: 'advisory', by: 'policy', reason: 'ok' },
    });
  });

  it('is an acceptance without a review if there is no reviewer', async () => {
    const definition = defined<string, string>({ produce: async () => 'draft' });
    expect(await startRun(definition, 'task')).toMatchObject({
      status: 'accepted',
      code: 'not_reviewed',
      approved: false,
      output: 'draft',
      reviews: [],
      acceptance: { kind: 'not_reviewed', by: 'configuration' },
    });
  });

  it('is what the policy says about a bad version, also where the budget is used up', async () => {
    const ending = (status: 'rejected' | 'inconclusive') =>
      run({
        produce: async (_, context) => {
          context.reportUsage({ totalTokens: 5 });
          return 'draft';
        },
        reviewers: [
          reviewer('spends', async (_, context) => {
            context.reportUsage({ totalTokens: 5 });
            return [failed('spends')];
          }),
        ],
        budget: { tokens: 10 },
        policy: () => ({ kind: 'stop', status, code: 'bad', reason: 'bad' }),
      });
    expect(await ending('rejected')).toMatchObject({ status: 'rejected', code: 'bad' });
    expect(await ending('inconclusive')).toMatchObject({
      status: 'exhausted',
      code: 'budget_tokens',
      output: 'draft',
    });
  });
});

describe('a person who wants a change', () => {
  const asks: Policy = ({ review: { iteration } }) => ({
    kind: 'ask',
    reason: 'risky',
    question: `version ${iteration}?`,
    allowed: ['revise', 'reject', 'skip'],
  });

  it('gets it, although the reviews of the budget are done', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'draft',
      address: async (text, _gaps, { note }) => `${text}, ${note}`,
      criteria: { a: () => 'no' },
      policy: asks,
      budget: { reviews: 1 },
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const next = await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'shorter' });
    expect(suspended(next)).toMatchObject({ output: 'draft, shorter', reviews: [{}, {}] });
  });
});

describe('the best version', () => {
  /** Runs with a reviewer who asks a person about the first version; then two more versions follow. */
  const afterAnswer = async (...texts: readonly string[]) => {
    const left = [...texts];
    const store = memoryStore();
    const pipeline = definePipeline<string, string>({
      produce: async () => 'first',
      address: async () => left.shift() ?? 'end',
      reviewers: [
        reviewer<string>('ann', async ({ output }, context) => {
          if (output === 'first')
            await context.ask('opinion', { question: 'Good?', allowed: ['approve', 'reject'] });
          return [failed('a', 'wrong', { severity: output === 'worse' ? 'critical' : 'minor' })];
        }),
      ],
      policy: ({ review: { iteration, gaps } }) =>
        iteration === 2
          ? { kind: 'stop', status: 'rejected', code: 'bad', reason: 'bad' }
          : { kind: 'revise', reason: 'on', from: 'best', blocking: [gaps[0]!] },
      store,
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    return pipeline.answer(request, { kind: 'reject', by: 'Ann' });
  };

  it('is the later one of two equal ones, if a person answered about the first', async () => {
    expect(await afterAnswer('second')).toMatchObject({ status: 'rejected', output: 'second' });
  });

  it('is the first one, if what followed the answer is worse', async () => {
    expect(await afterAnswer('worse')).toMatchObject({ status: 'rejected', output: 'first' });
  });
});

describe('the task', () => {
  it('cannot be changed by a reviewer, whether a schema reads it or not', async () => {
    const frozen: boolean[] = [];
    const options: PipelineOptions<{ items: string[] }, string> = {
      produce: async () => 'x',
      reviewers: [
        {
          ...{ id: 'a', version: '1', tier: 'code' },
          review: async ({ task }) => {
            frozen.push(Object.isFrozen(task), Object.isFrozen(task.items));
            return [passed('a')];
          },
        },
      ],
    };
    const items = ['tea'];
    await definePipeline(options).run({ items });
    const task = z.object({ items: z.array(z.string()) });
    await definePipeline({ ...options, task }).run({ items });
    expect(frozen).toEqual([true, true, true, true]);
    expect(Object.isFrozen(items)).toBe(false);
  });
});
