import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore } from '../../../src/index.js';
import { loadEngine, passed, reviewer } from './support.js';

beforeAll(loadEngine);

describe('what a failing call used', () => {
  it('counts once wherever its run is cancelled, also when that goes on', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const stop = new AbortController();
      let isFirst = true;
      const pipeline = definePipeline<string, string>({
        produce: async (_, context) =>
          context.step('model', { input: 0, schema: z.string() }, async () => {
            context.reportUsage({ totalTokens: 10 });
            if (!isFirst) return 'x';
            isFirst = false;
            void abortAfter(turns, stop);
            throw new Error('no model');
          }),
        reviewers: [reviewer('judge', async () => [passed('judge')])],
        store: memoryStore(),
      });
      const cut = await pipeline.run('task', { runId: 'r', signal: stop.signal });
      expect(cut.status, `after ${turns} turns`).toMatch(/cancelled|failed/);
      expect(cut.usage.produce, `after ${turns} turns`).toMatchObject({ totalTokens: 10 });
      const whole = await pipeline.run('task', { runId: 'r' });
      expect(whole.status).toBe('approved');
      expect(whole.usage.produce, `after ${turns} turns`).toMatchObject({ totalTokens: 20 });
    }
  });

  it('counts once too if the end of its run is why it failed, which is no attempt', async () => {
    const stop = new AbortController();
    const attempts: number[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async (_, context) =>
        context.step('model', { input: 0, schema: z.string() }, async ({ attempt, signal }) => {
          context.reportUsage({ totalTokens: 10 });
          attempts.push(attempt);
          if (attempts.length > 1) return 'x';
          stop.abort(new Error('enough'));
          throw signal.reason;
        }),
      reviewers: [reviewer('judge', async () => [passed('judge')])],
      store: memoryStore(),
    });
    const cut = await pipeline.run('task', { runId: 'r', signal: stop.signal });
    expect(cut).toMatchObject({ status: 'cancelled', usage: { produce: { totalTokens: 10 } } });
    const whole = await pipeline.run('task', { runId: 'r' });
    expect(whole.usage.produce).toMatchObject({ totalTokens: 20 });
    expect(attempts).toEqual([1, 1]);
  });
});

/** Aborts after turns of the microtask queue. */
async function abortAfter(turns: number, stop: AbortController): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  stop.abort(new Error('enough'));
}
