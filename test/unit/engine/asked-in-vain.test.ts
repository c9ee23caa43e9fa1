import { describe, expect, it } from 'vitest';
import { definePipeline, type Policy } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

/** Returns who was asked: two checks that fail or pass, and then a model. */
async function asked(passes: boolean, policy: Policy) {
  const ids: string[] = [];
  const judge = (id: string, tier: 'code' | 'model' | 'confirm', good: boolean) =>
    reviewer<string>(
      id,
      async () => {
        ids.push(id);
        return [good ? passed(id) : failed(id)];
      },
      { tier },
    );
  const outcome = await definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      judge('one', 'code', passes),
      judge('two', 'code', passes),
      judge('model', 'model', true),
      judge('confirm', 'confirm', true),
    ],
    policy,
  }).run('task');
  return { ids, outcome };
}

const everybody = ['one', 'two', 'model', 'confirm'];
const stop = { kind: 'stop', status: 'exhausted', code: 'enough', reason: 'enough' } as const;

describe('a stage', () => {
  it('is asked if the policy approves once all that are left pass, and no other', async () => {
    const most: Policy = ({ review: { assessments } }) =>
      assessments.filter(({ verdict }) => verdict === 'pass').length >= 3
        ? { kind: 'approve', reason: 'enough pass' }
        : stop;
    expect((await asked(false, most)).ids).toEqual(['one', 'two']);
    expect((await asked(true, most)).ids).toEqual(everybody);
  });

  it('is asked if the policy approves once one of it passes', async () => {
    const confirmed: Policy = ({ review: { assessments } }) =>
      assessments.some(({ criterion, verdict }) => criterion === 'confirm' && verdict === 'pass')
        ? { kind: 'approve', reason: 'confirmed' }
        : stop;
    expect((await asked(true, confirmed)).ids).toEqual(everybody);
  });

  it('is asked if the policy approves what is complete', async () => {
    const complete: Policy = ({ review }) =>
      review.complete ? { kind: 'approve', reason: 'complete' } : stop;
    const { ids, outcome } = await asked(true, complete);
    expect(ids).toEqual(everybody);
    expect(outcome.status).toBe('approved');
  });

  it.each<[string, Policy]>([
    ['has no opinion', () => undefined],
    ['asks a person', () => ({ kind: 'ask', reason: 'r', question: '?', allowed: ['reject'] })],
    ['accepts', () => ({ kind: 'accept', code: 'advisory', reason: 'they only advise' })],
  ])('is asked if the policy %s', async (_, policy) => {
    expect((await asked(true, policy)).ids).toEqual(everybody);
  });

  it.each<[string, Policy]>([
    ['stops', () => stop],
    [
      'revises',
      ({ review: { gaps } }) => ({
        kind: 'revise',
        reason: 'on',
        from: 'latest',
        blocking: gaps as never,
      }),
    ],
  ])('is not asked if the policy %s whatever they say', async (_, policy) => {
    const { ids, outcome } = await asked(false, policy);
    expect(ids).toEqual(['one', 'two']);
    expect(outcome.reviews[0]).toMatchObject({
      complete: false,
      assessments: [{}, {}, { verdict: 'skipped' }, { verdict: 'skipped' }],
    });
  });
});
