import { expect, it } from 'vitest';
import { definePipeline, memoryVerdicts } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

it.each([
  ['null', null],
  ['undefined', undefined],
  ['a text', 'is_bubble_up'],
  ['an object of no framework', { is_bubble_up: false }],
  ['an object that says yes', { is_bubble_up: 'yes' }],
])('a `produce` that throws %s fails its run', async (_, thrown) => {
  const outcome = await definePipeline<string, string>({
    produce: async () => {
      throw thrown;
    },
    criteria: { fine: () => true },
  }).run('task');
  expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed' });
});

it('an approval without all judges says how many were not asked', async () => {
  const outcome = await definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      reviewer('a', async () => [failed('a')]),
      reviewer('b', async () => [passed('b')]),
      reviewer('c', async () => [passed('c')], { tier: 'model' }),
    ],
    policy: ({ review }) =>
      review.complete
        ? { kind: 'stop', status: 'rejected', code: 'no', reason: 'no' }
        : { kind: 'approve', reason: 'fine' },
  }).run('task');
  expect(outcome).toMatchObject({ status: 'inconclusive', code: 'incomplete' });
  expect(outcome.reason).toContain('1 of 3');
});

it('a verdict that no store has is no fault', async () => {
  const warned: unknown[] = [];
  const quiet = (): void => {};
  const warn = (...line: unknown[]): void => void warned.push(line);
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [reviewer('a', async () => [passed('a')])],
    verdicts: memoryVerdicts(),
    logger: { debug: quiet, info: quiet, warn, error: quiet },
  });
  expect((await pipeline.run('task')).status).toBe('approved');
  const again = await pipeline.run('task');
  expect(again.reviews[0]?.reused).toMatchObject({ verdicts: 1 });
  expect(warned).toEqual([]);
});
