import { describe, expect, it } from 'vitest';
import { definePipeline, memoryVerdicts, type PipelineOptions } from '../../../src/index.js';
import { failed, passed, reviewer, untilNoGap } from './support.js';

const silent = (): void => {};

/** Runs with a budget of tokens that nothing is counted against; returns reviews and warnings in order. */
async function told(more: Partial<PipelineOptions<string, string>> = {}) {
  const events: string[] = [];
  const logged: unknown[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'a',
    address: async (text) => `${text}a`,
    reviewers: ['one', 'two'].map((id) =>
      reviewer<string>(id, async ({ output }) => [
        output.length > 2 ? passed(id) : failed(id, `${id} of ${output}`),
      ]),
    ),
    policy: untilNoGap,
    budget: { tokens: 1000 },
    logger: { debug: silent, info: silent, error: silent, warn: (data) => void logged.push(data) },
    ...more,
  });
  pipeline.on('review-end', ({ iteration }) => void events.push(`review ${iteration}`));
  pipeline.on('budget-warn', ({ message }) => void events.push(`warned: ${typeof message}`));
  const outcome = await pipeline.run('task', { runId: 'r' });
  expect(outcome.approved).toBe(true);
  return { events, logged };
}

describe('a budget in tokens that nothing is counted against', () => {
  it('is warned of once, as soon as a reviewer was asked', async () => {
    const { events, logged } = await told();
    expect(events).toEqual(['review 1', 'warned: string', 'review 2', 'review 3']);
    expect(logged).toEqual([{ run: 'r' }]);
  });

  it('is no news where every verdict was kept from an earlier run', async () => {
    const verdicts = memoryVerdicts();
    expect((await told({ verdicts })).events).toContain('warned: string');
    expect((await told({ verdicts })).events).toEqual(['review 1', 'review 2', 'review 3']);
  });

  it('is warned of once one of the reviewers was asked', async () => {
    const verdicts = memoryVerdicts();
    await told({ verdicts });
    const reviewers = ['one', 'other'].map((id) =>
      reviewer<string>(id, async ({ output }) => [
        output.length > 2 ? passed(id) : failed(id, `${id} of ${output}`),
      ]),
    );
    expect((await told({ verdicts, reviewers })).events[1]).toBe('warned: string');
  });
});
