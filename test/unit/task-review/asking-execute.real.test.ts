import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/ports/memory-store.js';
import { project, reviewOf, task } from './support.js';

it('the work at a task asks a person, and goes on with the answer', async () => {
  const repository = project();
  const { review } = reviewOf(repository, [], {
    store: memoryStore(),
    execute: async (_, { ask }) => {
      const { kind } = await ask('tool', { question: 'Write the file?', allowed: ['approve'] });
      if (kind === 'approve') repository.write('api.js', 'exports.value = 1;\n');
    },
  });
  const asked = await review.run(task, { runId: 'r1' });
  if (asked.run.status !== 'suspended') throw new Error(asked.run.reason);
  expect(asked).toMatchObject({ success: false });
  expect(asked.run.requests[0]).toMatchObject({ from: 'produce', question: 'Write the file?' });
  const ended = await review.answer(task, asked.run.requests[0], { kind: 'approve', by: 'Ada' });
  expect(ended).toMatchObject({ success: true, reviewStatus: 'passed' });
});
