import { describe, expect, it } from 'vitest';
import { type Assessment, definePipeline, memoryStore, type Policy } from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const skipped = (criterion: string): Assessment => ({
  verdict: 'skipped',
  criterion,
  reason: 'there is no page',
});

const asks: Policy = () => ({
  kind: 'ask',
  reason: 'hm',
  question: 'well?',
  allowed: ['approve'],
});

/** Asks a person about a version of which a judge says this, and returns what her yes makes of it. */
async function approvedAfter(...assessments: Assessment[]) {
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [reviewer('judge', async () => assessments)],
    policy: asks,
    store: memoryStore(),
  });
  const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
  const { status, approved } = await pipeline.answer(request, {
    kind: 'approve',
    by: 'Ann',
    reason: 'a draft',
  });
  return { told: request.approved, status, approved };
}

describe('the yes of a person', () => {
  it('approves what the judges passed, also where they skipped a part', async () => {
    expect(await approvedAfter(passed('short'), skipped('links'))).toEqual({
      told: true,
      status: 'approved',
      approved: true,
    });
  });

  it.each([
    ['where they failed a part', [passed('short'), failed('polite')]],
    ['where they skipped everything', [skipped('links'), skipped('pictures')]],
  ])('approves nothing for the judges %s', async (_where, assessments) => {
    expect(await approvedAfter(...assessments)).toEqual({
      told: false,
      status: 'accepted',
      approved: false,
    });
  });
});
