import { expect, it } from 'vitest';
import { StoredVerdictSchema } from '@/ports/verdict-store.js';

const pass = { verdict: 'pass', criterion: 'a', score: 1, explanation: '', gaps: [] };
const stored = (...assessments: object[]): boolean =>
  StoredVerdictSchema.safeParse({
    schema: 1,
    about: { reviewer: 'r', version: '1', task: 't', view: 'v' },
    assessments,
    usage: {},
    at: 0,
  }).success;

it('a stored verdict may contain what does not apply, and never what is undecided', () => {
  expect(stored(pass, { verdict: 'skipped', criterion: 'b', reason: 'no image' })).toBe(true);
  expect(
    stored(pass, { verdict: 'undecided', criterion: 'b', reason: 'r', decidableBy: ['person'] }),
  ).toBe(false);
  expect(stored({ ...pass, decidedBy: 'Ada' })).toBe(true);
});
