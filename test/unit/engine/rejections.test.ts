import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type Policy,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

/** A pipeline whose versions are v1, v2 and so on, and which asks about each of them. */
function versions(more: Partial<PipelineOptions<string, string>> = {}) {
  const told: unknown[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'v1',
    address: async (output, _gaps, { note }) => {
      told.push([output, note]);
      return `v${Number(output.slice(1)) + 1}`;
    },
    criteria: { fine: () => true },
    human: { policy: 'require', onReject: 'revise' },
    budget: { reviews: 2 },
    store: memoryStore(),
    ...more,
  });
  const asked = async () => suspended(await pipeline.run('task', { runId: 'r' })).requests[0];
  return { told, pipeline, asked };
}

const reject = { kind: 'reject', by: 'Ann' } as const;

describe('a rejection', () => {
  it('is a wish for another version where the pipeline says so, with its reason', async () => {
    const { told, pipeline, asked } = versions();
    const second = suspended(
      await pipeline.answer(await asked(), { ...reject, reason: 'too long' }),
    );
    expect(second).toMatchObject({ output: 'v2', requests: [{ allowed: expect.any(Array) }] });
    expect(told).toEqual([['v1', 'too long']]);
  });

  it('needs no reason for that', async () => {
    const { told, pipeline, asked } = versions();
    suspended(await pipeline.answer(await asked(), reject));
    expect(told).toEqual([['v1', 'rejected by Ann']]);
  });

  it('ends the run once all reviews are done', async () => {
    const { told, pipeline, asked } = versions();
    const second = suspended(await pipeline.answer(await asked(), reject));
    expect(
      await pipeline.answer(second.requests[0], { ...reject, reason: 'still too long' }),
    ).toMatchObject({
      status: 'rejected',
      code: 'person_rejected',
      reason: 'still too long',
      decidedBy: 'Ann',
      output: 'v2',
    });
    expect(told).toHaveLength(1);
  });

  it('ends the run where nobody could make another version', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'v1',
      criteria: { fine: () => true },
      human: { policy: 'require', onReject: 'revise' },
      store: memoryStore(),
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    expect(await pipeline.answer(request, reject)).toMatchObject({
      status: 'rejected',
      code: 'person_rejected',
      reason: 'rejected by Ann',
    });
  });

  it('ends the run by default', async () => {
    const { told, pipeline, asked } = versions({ human: { policy: 'require' } });
    expect(await pipeline.answer(await asked(), { ...reject, reason: 'no' })).toMatchObject({
      status: 'rejected',
      reason: 'no',
      output: 'v1',
    });
    expect(told).toEqual([]);
  });
});

describe('a wish of a person', () => {
  it('is about the version that the person saw, although another one is better', async () => {
    const policy: Policy = ({ review }) =>
      review.iteration === 2
        ? { kind: 'ask', reason: 'who knows', question: 'fine?', allowed: ['revise'] }
        : review.iteration === 1
          ? { kind: 'revise', reason: 'on', from: 'latest', blocking: [review.gaps[0]!] }
          : { kind: 'approve', reason: 'fine' };
    const { told, pipeline, asked } = versions({
      criteria: {},
      reviewers: [
        reviewer('judge', async ({ output }) =>
          output === 'v3'
            ? [passed('judge')]
            : [failed('judge', 'wrong', { severity: output === 'v2' ? 'critical' : 'minor' })],
        ),
      ],
      policy,
      budget: { reviews: 3 },
      human: { policy: 'auto' },
    });
    const request = await asked();
    const outcome = await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'shorter' });
    expect(outcome).toMatchObject({ status: 'approved', output: 'v3' });
    expect(told).toEqual([
      ['v1', undefined],
      ['v2', 'shorter'],
    ]);
  });
});
