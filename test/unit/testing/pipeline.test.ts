import { describe, expect, it } from 'vitest';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import { fakeClock, fakeRandom, manualLimiter, settle } from '@/testing/index.js';

describe('a pipeline under test', () => {
  it('times out without waiting, on a clock driven by hand', async () => {
    const clock = fakeClock();
    const slots = manualLimiter();
    const pipeline = definePipeline({
      produce: async (task: string) => task,
      criteria: { slow: () => new Promise<boolean>(() => {}) },
      timeouts: { checkMs: 1000 },
      retries: 0,
      clock,
      random: fakeRandom(),
      limiter: slots,
    });
    const run = pipeline.run('tea');
    slots.open(2);
    await settle();
    expect(slots.running).toBe(1);
    await clock.advanceAsync(1000);
    expect(await run).toMatchObject({ status: 'inconclusive', runId: 'id-000001' });
    expect([slots.running, slots.waiting]).toEqual([0, []]);
  });

  it('waits for its slot, and the older of two runs goes first', async () => {
    const slots = manualLimiter();
    const order: string[] = [];
    const pipeline = definePipeline({
      produce: async (task: string) => task,
      criteria: { order: (text) => order.push(text) > 0 },
      limiter: slots,
    });
    const runs = ['old', 'young'].map((task) => pipeline.run(task));
    await settle();
    expect(slots.waiting).toEqual([0, 1]);
    slots.open(4);
    const outcomes = await Promise.all(runs);
    expect(outcomes.map(({ status }) => status)).toEqual(['approved', 'approved']);
    expect(order).toEqual(['old', 'young']);
  });
});
