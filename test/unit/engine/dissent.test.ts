import { describe, expect, it } from 'vitest';
import { definePipeline, type Gap, type Policy, type Reviewer } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

const approving: Policy = () => ({ kind: 'approve', reason: 'fine' });
const accepting: Policy = () => ({ kind: 'accept', code: 'advisory', reason: 'fine' });

const confirms = (...assessments: ReturnType<typeof failed>[]) =>
  reviewer<string>('again', async () => assessments, { tier: 'confirm' });

const run = (policy: Policy, ...reviewers: readonly Reviewer<unknown, string>[]) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [reviewer('a', async () => [passed('a')]), ...reviewers],
    policy,
  }).run('task');

const decisionOf = async (...given: Parameters<typeof run>) =>
  (await run(...given)).reviews[0]?.decision as {
    readonly kind: string;
    readonly blocking?: readonly Gap[];
  };

describe('a confirming judge that fails a version', () => {
  it.each([
    ['approval', approving],
    ['acceptance', accepting],
  ])('blocks its %s, and what can be mended is', async (_, policy) => {
    const decision = await decisionOf(policy, confirms(failed('again', 'no'), failed('b', 'bad')));
    expect(decision).toMatchObject({ kind: 'revise', from: 'latest' });
    expect(decision.blocking?.map(({ description }) => description)).toEqual(['no', 'bad']);
  });

  it.each([
    ['cannot be mended', { autoFixable: false }, 'unfixable'],
    ['is disputed', { standing: 'disputed' }, 'disputed'],
  ] as const)('ends the run where it %s', async (_, more, code) => {
    const judge = confirms(failed('again', 'no', more));
    expect(await run(approving, judge)).toMatchObject({ status: 'escalated', code });
  });

  it('has only mended what is open', async () => {
    const judge = confirms(
      failed('again', 'no'),
      failed('b', 'stuck', { autoFixable: false }),
      failed('c', 'disputed', { standing: 'disputed' }),
    );
    const { blocking } = await decisionOf(approving, judge);
    expect(blocking?.map(({ description }) => description)).toEqual(['no']);
  });
});

describe('a judge of another tier that fails a version', () => {
  it('does not overrule the policy', async () => {
    const model = reviewer<string>('m', async () => [failed('m')], { tier: 'model' });
    const confirming = reviewer<string>('again', async () => [passed('again')], {
      tier: 'confirm',
    });
    for (const reviewers of [[model], [model, confirming]])
      expect(await run(approving, ...reviewers)).toMatchObject({ status: 'approved' });
  });
});
