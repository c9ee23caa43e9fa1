import { describe, expect, it } from 'vitest';
import type { Reviewer } from '@/core/reviewer.js';
import { recordRun } from '@/faces/reports/run-recorder.js';
import { criterion, definePipeline } from '@/index.js';
import { fakeClock } from '@/testing/index.js';

/** A reviewer that uses 100 tokens each time it is asked, and fails the first time. */
function costly(failures: number): Reviewer<string, string> {
  let left = failures;
  return {
    id: 'tone',
    version: '1',
    tier: 'model',
    review: async (_, context) => {
      context.reportUsage({ inputTokens: 100, costUsd: 0.01 });
      if (left-- > 0) throw new Error('the line is bad');
      return [{ verdict: 'pass', criterion: 'tone', score: 1, explanation: '', gaps: [] }];
    },
  };
}

describe('what a recorder gathers of each judge', () => {
  it('counts tokens and cost, of failed tries too', async () => {
    const tone = costly(1);
    const long = criterion<string>('long', (text) => text.length > 3, { version: '1' });
    const pipeline = definePipeline({
      produce: async (_: string) => 'a letter',
      reviewers: [tone, long],
      retries: 1,
    });
    const recorder = recordRun(pipeline, { reviewers: [tone, long], clock: fakeClock() });
    expect(await pipeline.run('task')).toMatchObject({ approved: true });
    expect(recorder.judges()).toEqual([
      {
        id: 'long',
        tier: 'code',
        ...{ passed: 1, failed: 0, undecided: 0, skipped: 0, errored: 0, reused: 0 },
        ...{ durationMs: 0, usage: {}, errors: [] },
      },
      {
        id: 'tone',
        tier: 'model',
        ...{ passed: 1, failed: 0, undecided: 0, skipped: 0, errored: 0, reused: 0 },
        ...{
          durationMs: 0,
          usage: { inputTokens: 200, totalTokens: 200, costUsd: 0.02 },
          errors: [],
        },
      },
    ]);
  });

  it('counts what a judge used that failed for good', async () => {
    const tone = costly(9);
    const pipeline = definePipeline({
      produce: async (_: string) => 'a letter',
      reviewers: [tone],
      retries: 1,
    });
    const recorder = recordRun(pipeline);
    await pipeline.run('task');
    expect(recorder.judges()).toMatchObject([
      { errored: 1, usage: { inputTokens: 200 }, errors: [expect.stringContaining('line is bad')] },
    ]);
  });

  it('counts a replayed review once, with the longer time', () => {
    const listeners = new Map<string, (payload: never) => void>();
    const clock = fakeClock();
    const on = (name: string, listener: (payload: never) => void) => listeners.set(name, listener);
    const recorder = recordRun({ on }, { clock });
    const emit = (name: string, payload: object) => listeners.get(name)?.(payload as never);
    for (const ms of [400, 0]) {
      emit('run-start', {});
      emit('reviewer-start', { reviewer: 'tone' });
      clock.advance(ms);
      emit('reviewer-end', {
        reviewer: 'tone',
        assessments: [],
        reused: false,
        usage: { costUsd: 1 },
      });
    }
    emit('reviewer-end', {
      reviewer: 'tone',
      assessments: [],
      reused: true,
      usage: { costUsd: 5 },
    });
    expect(recorder.judges()).toMatchObject([
      { durationMs: 400, reused: 1, usage: { costUsd: 1 } },
    ]);
  });
});
