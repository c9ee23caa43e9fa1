import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  type Policy,
  type Reviewer,
  ReviewLoopError,
  thresholds,
} from '@/index.js';
import { failed, failing, passed, passing, pipelineOf, reviewer } from './support.js';

type Word = 'pass' | 'fail' | 'skipped' | 'errored';

/** What each judge says: of the criterion of its name, or of each of its own. */
type Said = Readonly<Record<string, Word | Readonly<Record<string, Word>>>>;

function assessmentOf([criterion, word]: readonly [string, Word]): Assessment {
  if (word === 'pass') return passed(criterion);
  if (word === 'fail') return failed(criterion);
  if (word === 'skipped') return { verdict: word, criterion, reason: 'it does not apply' };
  return { verdict: word, criterion, error: new ReviewLoopError('timeout', 'no answer') };
}

const wordsOf = (said: Said) =>
  Object.entries(said).map(
    ([id, words]) => [id, typeof words === 'string' ? { [id]: words } : words] as const,
  );

const saying = (said: Said, tier: Reviewer<unknown, string>['tier']) =>
  wordsOf(said).map(([id, words]) =>
    reviewer<string>(id, async () => Object.entries(words).map(assessmentOf), { tier }),
  );

const approves: Policy = () => ({ kind: 'approve', reason: 'good enough' });

/** Judges, judges that confirm, and which of their criteria become undecided: all others stay as they are. */
type Case = readonly [name: string, said: Said, confirming: Said, undecided: readonly string[]];

const skips = { 'confirm:tone': 'skipped' } as const;

const skipsTask = { 'confirm:task': 'skipped' } as const;

const tone = { tone: 'pass' } as const;

const list = { list: { a: 'pass', b: 'pass' } } as const;

const numbered = { list: 'pass', 'list:5': 'pass', other: 'pass' } as const;

const other = { 'confirm:other': 'pass' } as const;

const cases: readonly Case[] = [
  ['opens a question that passed', tone, skips, ['confirm:tone']],
  ['opens a question that failed', { tone: 'fail' }, skips, ['confirm:tone']],
  ['opens none without a verdict', { other: 'pass', tone: 'skipped' }, skips, []],
  [
    'opens none that another one confirms',
    tone,
    { 'confirm:tone:1': 'skipped', 'confirm:tone:2': 'pass' },
    [],
  ],
  [
    'opens a question where another one confirms something else',
    { ...tone, length: 'pass' },
    { ...skips, 'confirm:length': 'pass' },
    ['confirm:tone'],
  ],
  [
    'opens a question that all who confirm it skip',
    tone,
    { 'confirm:tone:1': 'skipped', 'confirm:tone:2': 'skipped' },
    ['confirm:tone:1', 'confirm:tone:2'],
  ],
  [
    'opens a part, and has failed at the part where it failed',
    list,
    { 'confirm:list': { 'confirm:list/a': 'skipped', 'confirm:list/b': 'errored' } },
    ['confirm:list/a'],
  ],
  [
    'opens the parts that it skips, if the other one judged them',
    { list: { 'list/a': 'pass', 'list/b': 'pass', 'list/c': 'skipped' } },
    {
      'confirm:list': {
        ...{ 'confirm:list/list/a': 'pass', 'confirm:list/list/b': 'skipped' },
        'confirm:list/list/c': 'skipped',
      },
    },
    ['confirm:list/list/b'],
  ],
  [
    'opens a part where another one confirms another part',
    list,
    {
      'confirm:list:1': { 'confirm:list:1/a': 'skipped', 'confirm:list:1/b': 'skipped' },
      'confirm:list:2': { 'confirm:list:2/a': 'pass' },
    },
    ['confirm:list:1/b'],
  ],
  [
    'does not take the part of another judge for one of this',
    { list: { a: 'skipped' }, other: 'pass' },
    { 'confirm:list': { 'confirm:list/a': 'skipped', 'confirm:list/other': 'skipped' } },
    [],
  ],
  ['opens the whole task where nobody else confirms', tone, skipsTask, ['confirm:task']],
  ['opens no task that another one confirms', tone, { ...skipsTask, 'confirm:tone': 'pass' }, []],
  ['opens no task without a verdict', { tone: 'skipped' }, skipsTask, []],
  [
    'is one of its tier and name: what others skip stays skipped',
    { ...tone, 'confirm:tone': 'skipped' },
    { 'tone:confirm:': 'skipped', last: 'skipped' },
    [],
  ],
  [
    'may confirm one that only looks like it',
    { ...tone, 'confirm:style': 'pass' },
    { 'confirm:confirm:style': 'skipped' },
    ['confirm:confirm:style'],
  ],
  ...['confirm:list:1', 'confirm:list:12', 'confirm:list:5'].map(
    (id): Case => [
      `has an id that ends with a number: ${id}`,
      numbered,
      { ...other, [id]: 'skipped' },
      [id],
    ],
  ),
  [
    'confirms nobody by another end of its id',
    numbered,
    { ...other, 'confirm:list:1:x': 'skipped' },
    [],
  ],
  ['may fail a version under another name', tone, { 'confirm:tone': { x: 'fail' } }, []],
  ['may be missing', { ...tone, b: 'skipped' }, {}, []],
];

describe('a judge that confirms, and to whom its question does not apply', () => {
  it.each(cases)('%s', async (_, said, confirming, undecided) => {
    const outcome = await pipelineOf({
      reviewers: [...saying(said, 'model'), ...saying(confirming, 'confirm')],
      policy: approves,
    }).run('task');
    const verdicts = outcome.reviews[0]?.assessments.map((one) => [one.criterion, one.verdict]);
    const words = wordsOf({ ...said, ...confirming }).map(([, each]) => each);
    expect(Object.fromEntries(verdicts ?? [])).toEqual({
      ...Object.assign({}, ...words),
      ...Object.fromEntries(undecided.map((criterion) => [criterion, 'undecided'])),
    });
  });

  it('says that a person can decide it, and why it is open', async () => {
    const outcome = await pipelineOf({
      reviewers: [...saying(tone, 'model'), ...saying(skips, 'confirm')],
    }).run('task');
    expect(outcome).toMatchObject({ status: 'inconclusive', approved: false });
    expect(outcome.reviews[0]?.assessments[1]).toMatchObject({
      verdict: 'undecided',
      criterion: 'confirm:tone',
      reason: expect.stringContaining('it does not apply'),
      decidableBy: ['person'],
    });
  });

  it('leaves a failure as it is where the policy approves nothing with it', async () => {
    const review = await pipelineOf({
      reviewers: [failing('tone'), ...saying(skips, 'confirm')],
    }).review('task', 'x');
    expect(review.assessments.map(({ verdict }) => verdict)).toEqual(['fail', 'skipped']);
  });

  it('lets a version through that others approve, or confirm', async () => {
    for (const reviewers of [
      [passing('a'), ...saying({ b: 'skipped' }, 'code')],
      [passing('a'), ...saying({ 'confirm:a:1': 'skipped', 'confirm:a:2': 'pass' }, 'confirm')],
    ])
      expect((await pipelineOf({ reviewers }).run('task')).status).toBe('approved');
  });
});

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
