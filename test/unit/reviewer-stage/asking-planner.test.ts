import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/ports/memory-store.js';
import { ReviewerStage } from '../../../src/reviewer-stage/reviewer-stage.js';
import { dimensions, work } from './support.js';

it('the planner of a stage asks a person, and goes on with the answer', async () => {
  let isPlanned = false;
  const stage = new ReviewerStage({
    dimensions: dimensions({
      code_quality: () =>
        isPlanned
          ? { level: 'excellent', explanation: '', issues: [] }
          : { level: 'needs_work', explanation: '', issues: ['no plan'] },
    }),
    store: memoryStore(),
    replan: async (_, { work: before, ask }) => {
      const { kind } = await ask('tool', { question: 'Change the plan?', allowed: ['approve'] });
      isPlanned = true;
      return { ...before, plan: ['write a validator', kind] };
    },
  });
  const asked = await stage.review(work);
  if (asked.run.status !== 'suspended') throw new Error(asked.run.reason);
  expect(asked.run.requests[0]).toMatchObject({ from: 'address', question: 'Change the plan?' });
  const ended = await stage.answer(asked.run.requests[0], { kind: 'approve', by: 'Ada' });
  expect(ended).toMatchObject({ decision: 'APPROVED' });
  expect(ended.run.output?.plan).toEqual(['write a validator', 'approve']);
});
