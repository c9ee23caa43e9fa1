import { expect, it } from 'vitest';
import { definePipeline, limiter, runAll } from '@/index.js';

it('runAll takes 20,000 tasks in bounded memory, and one that fails stops none', async () => {
  let taken = 0;
  let ahead = 0;
  let done = 0;
  function* tasks() {
    for (let task = 0; task < 20_000; task += 1) {
      taken += 1;
      ahead = Math.max(ahead, taken - done);
      yield task;
    }
  }
  const pipeline = definePipeline<number, string>({
    produce: async (task) => {
      if (task === 5000) throw new Error('bad task');
      return 'x';
    },
    criteria: { a: () => true },
    limiter: limiter({ concurrency: 8 }),
  });
  const statuses = new Map<string, number>();
  for await (const { outcome } of runAll(pipeline, tasks())) {
    done += 1;
    statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ approved: 19_999, failed: 1 });
  expect(ahead).toBeLessThanOrEqual(17);
});
