import { expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore, memoryVerdicts } from '../../../src/index.js';
import { passed, reviewer, suspended } from './support.js';

it('a run that goes on takes the verdict that another run got meanwhile, where it had not asked', async () => {
  const verdicts = memoryVerdicts();
  const asked: string[] = [];
  const model = reviewer<string>(
    'model',
    async (_, context) => {
      await context.step('ask', { input: 0, schema: z.string() }, async () => {
        asked.push('model');
        return 'yes';
      });
      return [passed('model')];
    },
    { tier: 'model' },
  );
  const person = reviewer<string>('person', async (_, context) => {
    await context.step('look', { input: 0, schema: z.string() }, async () => 'seen');
    await context.ask('fine', { question: 'fine?', allowed: ['approve'], gaps: [] });
    return [passed('person')];
  });
  const pipeline = (reviewers: readonly (typeof model)[]) =>
    definePipeline<string, string>({
      produce: async () => 'x',
      reviewers,
      store: memoryStore(),
      verdicts,
    });
  const first = pipeline([person, model]);
  const { requests } = suspended(await first.run('task', { runId: 'r' }));
  expect(asked).toEqual([]);
  expect(await pipeline([model]).run('task')).toMatchObject({ status: 'approved' });
  const outcome = await first.answer(requests[0], { kind: 'approve', by: 'Ann' });
  expect(outcome).toMatchObject({ status: 'approved', review: { reused: { verdicts: 1 } } });
  expect(asked).toEqual(['model']);
});
