import { describe, expect, it } from 'vitest';
import { engineErrors } from '../../../src/engine/errors.js';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  ReviewLoopError,
} from '../../../src/index.js';
import { failed, reviewer, suspended } from './support.js';

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [reviewer('a', async () => [failed('a')])],
    ...more,
  });

describe('a revision that fails', () => {
  it('although a budget is passed fails the run by its own error', async () => {
    const outcome = await pipeline({
      address: async (_output, _gaps, context) => {
        context.reportUsage({ totalTokens: 100 });
        throw new Error('broken');
      },
      budget: { tokens: 10 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'address_failed', output: 'x' });
  });
});

describe('work inside of a run that ended early', () => {
  it.each([
    ['produce', 'cancelled'],
    ['address', 'cancelled'],
    ['produce', 'run_timed_out'],
    ['address', 'run_timed_out'],
    ['produce', 'released'],
    ['address', 'released'],
  ] as const)('in `%s` (%s) fails the run, which did not end early itself', async (part, code) => {
    const store = memoryStore();
    const ended = async (): Promise<never> => {
      throw new ReviewLoopError(
        code === 'released' ? engineErrors.released : code,
        'another run ended early',
      );
    };
    const outcome = await pipeline({ [part]: ended, store }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code });
    expect((await store.read('r'))?.at(-1)).toMatchObject({ type: 'end', status: 'failed', code });
  });
});

describe('a version that is no better', () => {
  const revised = (more: Partial<PipelineOptions<string, string>>) =>
    pipeline({ address: async () => 'y', budget: { reviews: 2 }, ...more });

  it('does not become the best because a person answered `address` about the one before', async () => {
    const asking = revised({
      address: async (output, _gaps, { ask }) => {
        await ask('ok', { question: 'ok?', allowed: ['approve'], subject: output });
        return 'y';
      },
    });
    const [request] = suspended(await asking.run('task', { runId: 'r' })).requests;
    const outcome = await asking.answer(request, { kind: 'approve', by: 'Ann' });
    expect(outcome).toMatchObject({ status: 'exhausted', output: 'x' });
    expect(outcome.reviews).toHaveLength(2);
  });

  it('does not become the best because a person answered the policy', async () => {
    const asking = revised({
      policy: ({ iteration }) =>
        iteration === 1
          ? { kind: 'ask', reason: 'hm', question: 'what now?', allowed: ['revise'] }
          : { kind: 'stop', status: 'rejected', code: 'enough', reason: 'enough' },
    });
    const [request] = suspended(await asking.run('task', { runId: 'r' })).requests;
    const outcome = await asking.answer(request, { kind: 'revise', by: 'Ann', note: 'shorter' });
    expect(outcome).toMatchObject({ status: 'rejected', output: 'x' });
    expect(outcome.reviews).toHaveLength(2);
  });
});
