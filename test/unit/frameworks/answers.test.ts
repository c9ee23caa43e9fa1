import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reviewStep } from '@/frameworks/mastra/index.js';
import { memoryStore } from '@/index.js';
import { definePipeline } from '@/pipeline/define-pipeline.js';
import { errorWith } from '../../support/matchers.js';

/** A step of Mastra, and what it was suspended with. */
function stepOf() {
  const pipeline = definePipeline<string, string>({
    store: memoryStore(),
    human: { policy: 'require' },
    produce: async (task) => `reply to ${task}`,
    criteria: { said: () => true },
  });
  const step = reviewStep(pipeline, {
    id: 'reviewed',
    inputSchema: z.string(),
    outputSchema: z.unknown(),
    task: (input) => input,
    output: ({ status }) => ({ status }),
  });
  return (resumeData?: unknown) =>
    step.execute({
      inputData: 'Ann',
      runId: 'r',
      abortSignal: new AbortController().signal,
      suspend: (payload) => payload,
      ...(resumeData !== undefined && { resumeData }),
    });
}

describe('a reply to a step of Mastra', () => {
  it('is refused once another one has ended the run; the same reply has counted [R3-109]', async () => {
    const call = stepOf();
    const { id, digest } = z.object({ id: z.string(), digest: z.string() }).parse(await call());
    const ann = { id, digest, answer: { kind: 'approve', by: 'ann' } };
    expect(await call(ann)).toEqual({ status: 'approved' });
    expect(await call(ann)).toEqual({ status: 'approved' });
    expect(await call()).toEqual({ status: 'approved' });
    const bob = { ...ann, answer: { kind: 'reject', by: 'bob', reason: 'wrong sum' } };
    await expect(call(bob)).rejects.toMatchObject(errorWith('request_answered', 'approve by ann'));
    await expect(call({ answer: 'yes' })).rejects.toMatchObject({ code: 'answer_invalid' });
  });

  it('that does not count is told while the run waits', async () => {
    const call = stepOf();
    const { id, digest } = z.object({ id: z.string(), digest: z.string() }).parse(await call());
    const answer = { kind: 'approve', by: 'ann' };
    for (const bad of [{ id, digest: '0'.repeat(64), answer }, { id: 'x', digest, answer }, 'yes'])
      expect(await call(bad)).toMatchObject({ id, refused: expect.any(String) });
    expect(await call({ id, digest, answer })).toEqual({ status: 'approved' });
  });
});
