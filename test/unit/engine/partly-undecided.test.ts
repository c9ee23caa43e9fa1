import { expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { passed, reviewer } from './support.js';

it('a person decides one criterion of a judge that could tell the others', async () => {
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      reviewer('judge', async () => [
        passed('clear'),
        { verdict: 'undecided', criterion: 'tone', reason: 'who knows', decidableBy: ['person'] },
      ]),
    ],
  });
  const ended = await pipeline.run('task', { runId: 'r' });
  expect(ended).toMatchObject({ status: 'inconclusive', code: 'undecided' });
  const version = { runId: 'r', digest: ended.version ?? '' };
  const outcome = await pipeline.decide(version, { by: 'Ada', decisions: { tone: 'yes' } });
  expect(outcome.status).toBe('approved');
  expect(outcome.review?.assessments).toMatchObject([
    { verdict: 'pass', criterion: 'clear' },
    { verdict: 'pass', criterion: 'tone', decidedBy: 'Ada' },
  ]);
  expect(outcome.review?.assessments[0]).not.toHaveProperty('decidedBy');
});
