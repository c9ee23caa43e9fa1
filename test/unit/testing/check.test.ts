import { describe, expect, it } from 'vitest';
import { criterion } from '@/blocks/reviewers/criterion.js';
import type { AgentOutput, AgentRequest } from '@/products/self-review/agent.js';
import type { ReviewCriterion } from '@/products/self-review/review-criterion.js';
import { check, outputOf } from '@/testing/index.js';
import '@/testing/vitest.js';

const hasTitle = criterion('has-title', (text: string) => text.startsWith('# ') || 'no title');

/** A criterion of seed 004 that answers whatever it is given. */
function answering(answer: unknown, scope?: ReviewCriterion['scope']): ReviewCriterion {
  return {
    id: 'seed',
    name: 'Seed',
    description: '',
    severity: 'major',
    category: 'quality',
    scope,
    validate: async () => answer as never,
  };
}

describe('check', () => {
  it('gives the result of a criterion', async () => {
    expect(await check(hasTitle, '# Tea')).toEqual({ passed: true, score: 1, details: '' });
    expect(await check(hasTitle, 'Tea')).toEqual({ passed: false, score: 0, details: 'no title' });
  });

  it('hands over task and context', async () => {
    const seen = criterion(
      'seen',
      (_: string, task: { name: string }, context) =>
        `${task.name} ${context.acceptanceCriteria?.join()}`,
    );
    expect(
      (await check(seen, '', { task: { name: 'tea' }, context: { acceptanceCriteria: ['hot'] } }))
        .details,
    ).toBe('tea hot');
  });

  it('gives a request where the test names no task', async () => {
    const told = criterion<string, AgentRequest>('told', (_, request) => request.context.task.id);
    expect((await check(told, '')).details).toBe('task');
  });

  it('lets the criterion read only what its scope selects, for both kinds of criteria', async () => {
    const reviewer = criterion('short', (text: string) => text, {
      scope: (text) => text.slice(0, 3),
    });
    expect((await check(reviewer, 'abcdef')).details).toBe('abc');
    const seed: ReviewCriterion = {
      ...answering(undefined),
      scope: ({ output }) => output.artifacts.length,
      validate: async (view) => ({ passed: false, score: 0, details: JSON.stringify(view) }),
    };
    expect((await check(seed, outputOf({ a: '1', b: '2' }))).details).toBe('2');
  });

  it('freezes what the criterion receives, and leaves the test its own', async () => {
    const vandal = criterion(
      'vandal',
      (output: AgentOutput) => output.artifacts.push({ type: 'code', path: 'x' }) > 0,
    );
    const output = outputOf({ a: '1' });
    await expect(check(vandal, output)).rejects.toThrow(/not extensible/);
    output.artifacts.push({ type: 'code', path: 'y' });
  });

  it.each([
    [undefined],
    [Number.NaN],
    ['text'],
    [{ passed: true, score: 7, details: '' }],
    [{ passed: true, score: Number.NaN, details: '' }],
  ])('refuses the answer %s', async (answer) => {
    await expect(check(answering(answer), outputOf({}))).rejects.toMatchObject({
      code: 'criterion_invalid',
    });
  });

  it('refuses a pass with a score of 0', async () => {
    await expect(
      check(answering({ passed: true, score: 0, details: '' }), outputOf({})),
    ).rejects.toMatchObject({ code: 'criterion_contradiction' });
  });
});

describe('expect(output).toPass(criterion)', () => {
  it('passes and fails with the criterion', async () => {
    await expect('# Tea').toPass(hasTitle);
    await expect('Tea').not.toPass(hasTitle);
    await expect(expect('Tea').toPass(hasTitle)).rejects.toThrow(
      'expected the output to pass has-title; it scored 0: no title',
    );
    await expect(expect('# Tea').not.toPass(hasTitle)).rejects.toThrow(
      'expected the output not to pass has-title; it scored 1',
    );
  });

  it('takes task and context', async () => {
    const named = criterion('named', (text: string, task: string) => text === task);
    await expect('tea').toPass(named, { task: 'tea' });
  });

  it('takes a skipped check neither for a pass nor for a failure', async () => {
    const skipped = criterion('skipped', () => ({
      passed: false,
      score: 0,
      details: '',
      skipped: 'no parser',
    }));
    await expect(expect('Tea').toPass(skipped)).rejects.toThrow('skipped was skipped: no parser');
    await expect(expect('Tea').not.toPass(skipped)).rejects.toThrow(
      'skipped was skipped: no parser',
    );
  });
});
