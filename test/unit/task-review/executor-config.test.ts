import { describe, expect, it } from 'vitest';
import { executorIn } from '../../../src/task-review/config.js';

const whole = {
  ...{ exec: 'sh do.sh', testCommand: 'npm test', lintCommand: 'npm run lint', hitlReview: true },
  ...{ reviewPolicy: 'required', maxAttempts: 2, budgetTokens: 1, budgetUsd: 0.5 },
  ...{ reviewRoles: ['quality', 'implementation', 'testing', 'simplification', 'docs'] },
  ...{ diffBytes: 200, allowUnseen: ['.png'], reviewTemplate: 'Review {{TASK_ID}}' },
};
const snake = (name: string): string => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);

describe('the executor section of a configuration', () => {
  it('is read in both spellings, and may be absent', () => {
    expect(executorIn(whole)).toEqual(whole);
    expect(
      executorIn(Object.fromEntries(Object.entries(whole).map(([key, one]) => [snake(key), one]))),
    ).toEqual(whole);
    for (const section of [undefined, null, {}]) expect(executorIn(section)).toEqual({});
    expect(executorIn({ exec: '  sh do.sh ' })).toEqual({ exec: 'sh do.sh' });
    expect(executorIn({ reviewPolicy: 'advisory' })).toEqual({ reviewPolicy: 'advisory' });
  });

  it.each([
    { exec: ' ' },
    { testCommand: '' },
    { lintCommand: ['npm'] },
    { hitlReview: 'yes' },
    { reviewPolicy: 'strict' },
    { maxAttempts: 0 },
    { budgetTokens: 0 },
    { budgetTokens: 1.5 },
    { budgetUsd: 0 },
    { reviewRoles: [] },
    { reviewRoles: ['boss'] },
    { diffBytes: 199 },
    { allowUnseen: [''] },
    { reviewTemplate: '' },
    { nope: 1 },
    'sh do.sh',
  ])('refuses %j', (section) => {
    expect(() => executorIn(section)).toThrow();
  });
});
