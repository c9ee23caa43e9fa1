import { expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { failed, reviewer } from './support.js';

it.each<[string, unknown]>([
  ['a date', new Date(0)],
  ['a function', () => 'x'],
  ['a number that JSON does not have', Number.NaN],
])('a reviewer that proposes %s fails the run, which keeps its version', async (_, proposal) => {
  const outcome = await definePipeline<string, unknown>({
    produce: async () => 'x',
    reviewers: [reviewer('a', async () => ({ assessments: [failed('a')], proposal }))],
  }).run('task');
  expect(outcome).toMatchObject({
    status: 'failed',
    code: 'address_invalid',
    output: 'x',
    error: { cause: { code: 'not_json' } },
  });
});
