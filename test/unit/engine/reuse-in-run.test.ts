import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  memoryVerdicts,
  type PipelineOptions,
  type Reviewer,
  ReviewLoopError,
} from '../../../src/index.js';
import { failed, passed, reviewer, untilNoGap } from './support.js';

interface Page {
  readonly title: string;
  readonly body: string;
}

/** A judge of the title, which is the same in every version, and what it is asked. */
function ofTitle(more: Partial<Reviewer<unknown, Page>> = {}) {
  const asked: unknown[] = [];
  const judge = reviewer<Page>(
    'title',
    async ({ output }, context) => {
      asked.push(output);
      context.reportUsage({ totalTokens: 10 });
      return [passed('title')];
    },
    { scope: ({ output }) => output.title as never, ...more },
  );
  return { asked, judge };
}

const ofBody = reviewer<Page>('body', async ({ output: { body } }) => [
  body.length > 2 ? passed('body') : failed('body', `too short: ${body}`),
]);

const run = (
  reviewers: readonly Reviewer<unknown, Page>[],
  more: Partial<PipelineOptions<string, Page>> = {},
) =>
  definePipeline<string, Page>({
    produce: async () => ({ title: 'Tea', body: 'a' }),
    address: async ({ title, body }) => ({ title, body: `${body}a` }),
    reviewers,
    policy: untilNoGap,
    ...more,
  }).run('task');

describe('a judge whose part of the version stays the same', () => {
  it('is asked once in a run, and the later reviews tell what that saved', async () => {
    const { asked, judge } = ofTitle();
    const outcome = await run([judge, ofBody]);
    expect(outcome.approved).toBe(true);
    expect(asked).toEqual(['Tea']);
    const saved = { verdicts: 1, saved: { totalTokens: 10 } };
    expect(outcome.reviews.map(({ reused }) => reused)).toEqual([undefined, saved, saved]);
    expect(outcome.usage.review).toEqual({ totalTokens: 10 });
  });

  it('is asked in each run, but once, if its verdicts are kept for a run only', async () => {
    const verdicts = memoryVerdicts();
    const { asked, judge } = ofTitle({ reuse: 'run' });
    await run([judge, ofBody], { verdicts });
    await run([judge, ofBody], { verdicts });
    expect(asked).toEqual(['Tea', 'Tea']);
  });

  it('is asked again if it could not judge one of its criteria', async () => {
    let asked = 0;
    const judge = reviewer<Page>(
      'title',
      async () => {
        asked += 1;
        const error = new ReviewLoopError('timeout', 'no answer');
        const spelled = { verdict: 'errored', criterion: 'spelling', error } as const;
        return [passed('length'), asked === 1 ? spelled : passed('spelling')];
      },
      { scope: ({ output }) => output.title as never },
    );
    const outcome = await run([judge, ofBody], { retries: 0 });
    expect(outcome.approved).toBe(true);
    expect(asked).toBe(2);
  });
});
