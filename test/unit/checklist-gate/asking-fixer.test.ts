import { expect, it } from 'vitest';
import { memoryChecklists } from '../../../src/checklist-gate/index.js';
import { memoryStore } from '../../../src/index.js';
import { gateOf, work } from './support.js';

it('the fixer of a gate asks a person, and goes on with the answer', async () => {
  let isFixed = false;
  const gate = gateOf({
    store: memoryChecklists(),
    runs: memoryStore(),
    verify: () => isFixed || 'bad',
    fix: async (given, _, { ask }) => {
      const { kind } = await ask('tool', { question: 'Change the file?', allowed: ['approve'] });
      isFixed = kind === 'approve';
      const artifacts = given.artifacts.map((each) => ({ ...each, content: 'fixed' }));
      return { ...given, artifacts };
    },
  });
  const asked = await gate.run(work());
  if (asked.outcome.status !== 'suspended') throw new Error(asked.outcome.reason);
  expect(asked.status).toBe('FAIL');
  expect(asked.outcome.requests[0]).toMatchObject({ from: 'address' });
  const ended = await gate.answer(asked.outcome.requests[0], { kind: 'approve', by: 'Ada' });
  expect(ended.status).toBe('PASS');
});
