import { describe, expect, it } from 'vitest';
import type { DiffSource } from '@/core/diff/diff-source.js';
import { memoryAttempts } from '@/ports/attempt-store.js';
import { executorIn } from '@/products/task-review/config.js';
import { TaskReview } from '@/products/task-review/task-review.js';
import { scriptedProvider } from '@/testing/index.js';
import { withCode } from '../../../support/matchers.js';
import { reviewerOf } from '../../../support/reviewer.js';

const empty = { base: 'base', head: 'working-tree', files: [], text: '' };
const diff: DiffSource = { id: 'none', head: async () => 'base', diff: async () => empty };
const check = (id: string) => reviewerOf(id, async () => []);
const build = (options: object) =>
  new TaskReview({ provider: scriptedProvider([]), ...{ diff, ...options } });

describe('the options of a task review', () => {
  it.each([
    {},
    { execute: async () => {}, commit: async () => {}, notify: async () => {} },
    { tests: check('tests'), lint: check('lint') },
    { review: false },
    { review: false, reviewPolicy: 'advisory' },
    { reviewPolicy: 'required', hitlReview: false },
    { maxAttempts: 1, reviewErrorRetries: 0, expiresAfterMs: 1, executeTimeoutMs: 1 },
    { budget: { tokens: 1, costUsd: 0.01 } },
    { budget: {} },
    { attempts: memoryAttempts() },
    { review: { timeoutMs: 1, allowUnseen: ['.png'], roles: ['docs'], verdicts: 'markers' } },
    { review: { diffBytes: 200, testBytes: 100, errorBytes: 100, lintCharacters: 1 } },
    { review: { temperature: 0, seed: 1, maxOutputTokens: 5, providerOptions: {}, reasks: 0 } },
    { review: { cliName: 'claude', template: 'x', redact: false } },
  ])('%j are taken', (options) => {
    expect(() => build(options)).not.toThrow();
  });

  it.each([
    { diff: undefined },
    { diff: { diff: diff.diff } },
    { diff: { head: diff.head } },
    { execute: 'sh do.sh' },
    { commit: true },
    { notify: {} },
    { tests: check('lint') },
    { lint: { id: 'lint' } },
    { tests: null },
    { tests: {} },
    { nope: 1 },
    { reviewPolicy: '' },
    { hitlReview: 'yes' },
    { attempts: null },
    { attempts: { record: async () => {} } },
    { attempts: { of: async () => [] } },
    { maxAttempts: 1.5 },
    { reviewErrorRetries: -1 },
    { expiresAfterMs: 0 },
    { executeTimeoutMs: 0 },
    { budget: { tokens: 0 } },
    { budget: { costUsd: 0 } },
    { budget: { euros: 1 } },
    { review: { timeoutMs: 0 } },
    { review: { allowUnseen: '.png' } },
    { review: { allowUnseen: [''] } },
    { review: { roles: ['docs', 'docs'] } },
    { review: { roles: 'docs' } },
    { review: { roles: [] } },
    { review: { verdicts: 'prose' } },
    { review: { diffBytes: 199 } },
    { review: { testBytes: 99 } },
    { review: { errorBytes: 99 } },
    { review: { lintCharacters: 0 } },
    { review: { template: 7 } },
    { review: { timeout: 5 } },
    { review: null },
    { review: false, reviewPolicy: 'required' },
    { review: false, reviewPolicy: 'required', hitlReview: false },
  ])('%j are refused', (options) => {
    expect(() => build(options)).toThrow(withCode('invalid_options'));
  });

  it('are an object', () => {
    for (const options of [null, 'diff'])
      expect(() => new TaskReview(options as never)).toThrow(withCode('invalid_options'));
  });
});

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
