import { expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';

it('a version with a critical gap loses against one with more, but minor gaps [R2-051]', async () => {
  const check = (
    fails: (text: string) => boolean,
    severity: 'critical' | 'minor',
    name: string,
  ) => ({
    severity,
    check: (text: string) => (fails(text) ? `${name} is wrong` : true),
  });
  const pipeline = definePipeline({
    name: 'leak',
    produce: async () => 'secret, complete',
    address: async () => 'incomplete',
    criteria: {
      leak: check((text) => text.includes('secret'), 'critical', 'the secret'),
      ...Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          name,
          check((text) => text.includes('incomplete'), 'minor', name),
        ]),
      ),
    },
    budget: { reviews: 2 },
  });
  const outcome = await pipeline.run('write');
  expect(outcome.reviews.map(({ scores }) => scores.quality)).toEqual([0.75, 0.25]);
  expect(outcome.output).toBe('incomplete');
  expect(outcome.review).toBe(outcome.reviews[1]);
});
