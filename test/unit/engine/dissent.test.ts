import { describe, expect, it } from 'vitest';
import { type Assessment, type Policy, type Reviewer, thresholds } from '@/index.js';
import { failed, failing, passed, passing, pipelineOf, reviewer } from './support.js';

const approving: Policy = () => ({ kind: 'approve', reason: 'fine' });

const accepting: Policy = () => ({ kind: 'accept', code: 'advisory', reason: 'fine' });

const policies: readonly (readonly [string, Policy | undefined])[] = [
  ['the default policy', undefined],
  ['a policy that approves everything', approving],
  ['a policy that accepts everything', accepting],
];

const confirms = (...assessments: readonly Assessment[]) =>
  reviewer<string>('late', async () => [...assessments], { tier: 'confirm' });

const four = { a: () => true, b: () => true, c: () => true, d: () => true };

const run = (policy: Policy | undefined, ...reviewers: readonly Reviewer<unknown, string>[]) =>
  pipelineOf({ criteria: four, reviewers, ...(policy && { policy }) }).run('task');

const open = { status: 'exhausted', code: 'no_address' };

const unfixable = { status: 'escalated', code: 'unfixable' };

const disputed = { status: 'escalated', code: 'disputed' };

const dissents: readonly (readonly [string, Assessment, object])[] = [
  ['that can be fixed', failed('late', 'no'), open],
  ['that names another criterion', failed('late', 'no', { criterionId: 'totals' }), open],
  ['that names no criterion', failed('late', 'no', { criterionId: '' }), open],
  ['that names a criterion that passes', failed('late', 'no', { criterionId: 'a' }), open],
  ['that names another reviewer', failed('late', 'no', { raisedBy: 'a' }), open],
  ['that is minor', failed('late', 'no', { severity: 'minor' }), open],
  ['that is waived', failed('late', 'no', { standing: 'waived' }), disputed],
  ['that is disputed', failed('late', 'no', { standing: 'disputed' }), disputed],
  ['that nobody can fix', failed('late', 'no', { autoFixable: false }), unfixable],
  ['of none', { ...failed('late'), gaps: [] } as Assessment, open],
];

describe.each(policies)('under %s, a confirming judge that fails a version', (_, policy) => {
  it.each(dissents)('blocks with a gap %s [R2-043, R2-132]', async (_name, dissent, end) => {
    expect(await run(policy, confirms(dissent))).toMatchObject({ ...end, approved: false });
  });
});

it.each([
  ['approval', approving],
  ['acceptance', accepting],
])(
  'a dissent against an %s has only mended what is open, and tells of all that it found',
  async (_, policy) => {
    const judge = confirms(
      failed('again', 'too long'),
      failed('b', 'bad'),
      failed('c', 'stuck', { autoFixable: false }),
      failed('d', 'not so', { standing: 'disputed' }),
    );
    const decision = (await pipelineOf({ reviewers: [judge], policy }).run('task')).reviews[0]
      ?.decision;
    expect(decision).toMatchObject({
      ...{ kind: 'revise', from: 'latest' },
      blocking: [{ description: 'too long' }, { description: 'bad' }],
    });
    for (const words of ['too long', 'bad', 'stuck', 'not so'])
      expect(decision?.reason).toContain(words);
  },
);

it('the gaps of a dissent reopen the loop, however minor they are (law 5)', async () => {
  const outcome = await pipelineOf({
    address: async (text) => `${text}!`,
    criteria: { a: () => true },
    reviewers: [
      reviewer<string>(
        'confirm',
        async ({ output }) => [
          output.includes('!')
            ? passed('confirm')
            : failed('confirm', 'a small doubt', { severity: 'minor' }),
        ],
        { tier: 'confirm' },
      ),
    ],
    policy: thresholds({ quality: 0.1 }),
  }).run('task');
  expect(outcome.reviews.map(({ decision }) => decision.kind)).toEqual(['revise', 'approve']);
  expect(outcome).toMatchObject({ approved: true, output: 'x!' });
});

it('a judge of another tier that fails a version does not overrule the policy', async () => {
  const model = failing('m', { tier: 'model' });
  for (const reviewers of [[model], [model, passing('again', { tier: 'confirm' })]]) {
    const outcome = await run(approving, ...reviewers);
    expect(outcome).toMatchObject({ status: 'approved', reason: 'fine' });
  }
});
