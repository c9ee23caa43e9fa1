import { describe, expect, it } from 'vitest';
import { checkedDecision } from '@/engine/checked-decision.js';
import { checkNamed } from '@/engine/human-answers.js';
import { undecidedName } from '@/engine/person-decisions.js';
import { type Gap, gap, type PipelineOptions, type Policy, type Reviewer } from '@/index.js';
import { throwing } from '../../support/throwing.js';
import { failed, failing, passing, pipelineOf, reviewer } from './support.js';

type Evidence = Parameters<typeof checkedDecision>[1];

const noGaps = { review: { gaps: [] }, best: { gaps: [] } } as unknown as Evidence;

const checked = (given: unknown, evidence = noGaps) => checkedDecision(given, evidence);

const known = [
  { kind: 'approve', reason: 'fine' },
  { kind: 'accept', code: 'advisory', reason: 'good enough' },
  ...(['best', 'latest', 'anew'] as const).map((from) => ({
    ...{ kind: 'revise', reason: 'mend it', from, blocking: [] },
  })),
  ...(['rejected', 'escalated', 'stalled', 'exhausted', 'inconclusive'] as const).map((status) => ({
    ...{ kind: 'stop', status, code: 'enough', reason: 'enough' },
  })),
  ...(['approve', 'reject', 'revise', 'override', 'skip', 'decide'] as const).map((answer) => ({
    ...{ kind: 'ask', reason: 'hm', question: 'what now?', allowed: [answer] },
  })),
];

const wrong = [
  { kind: 'ask', reason: 'hm', question: 'what?', allowed: [] },
  { kind: 'ask', reason: 'hm', allowed: ['approve'] },
  { kind: 'approve' },
  { kind: 'accept', reason: 'fine' },
  { kind: 'revise', reason: 'mend it', from: 'best' },
  { kind: 'revise', reason: 'mend it', from: 'worst', blocking: [] },
  { kind: 'stop', status: 'approved', code: 'x', reason: 'y' },
  { kind: 'stop', status: 'rejected', reason: 'y' },
];

describe('what a policy decides', () => {
  // the schema is built once, so one test tries all of it
  it('is taken as it is, as a copy that nobody changes, or is refused', () => {
    for (const given of known) {
      const decision = checked({ ...given, more: 'unknown' });
      expect(decision).toEqual(given);
      expect(Object.isFrozen(decision)).toBe(true);
    }
    for (const given of wrong)
      expect(() => checked(given)).toThrow(
        expect.objectContaining({
          ...{ code: 'policy_invalid', value: given },
          cause: expect.objectContaining({ issues: expect.any(Array) }),
        }),
      );
  });

  it('is nothing where it has no opinion', () => {
    expect(checked(undefined)).toBeUndefined();
  });
});

describe('the gaps that a policy wants revised', () => {
  const shown: Gap = Object.freeze({ ...gap('shown'), id: 'gap-1' });
  const evidence = { review: { gaps: [shown] }, best: { gaps: [] } } as unknown as Evidence;
  const revised = (blocking: readonly unknown[], given = evidence) =>
    checked({ kind: 'revise', reason: 'mend it', from: 'best', blocking }, given);

  it('are those of the reviews that it was shown, the latest or the best', () => {
    for (const given of [evidence, { review: { gaps: [] }, best: { gaps: [shown] } } as never]) {
      const decision = revised([shown], given);
      expect(decision?.kind === 'revise' && decision.blocking[0]).toBe(shown);
    }
  });

  it('may be its own, which are checked', () => {
    const own = { ...gap('own'), id: 'mine' };
    const decision = revised([{ ...own, more: 'unknown' }]);
    expect(decision).toMatchObject({ kind: 'revise', blocking: [own] });
    expect(decision?.kind === 'revise' && decision.blocking[0]).not.toHaveProperty('more');
    for (const bad of [{ ...own, severity: 'terrible' }, null, 'a gap', {}])
      expect(() => revised([shown, bad])).toThrow(
        expect.objectContaining({
          code: 'policy_invalid',
          cause: expect.objectContaining({ issues: expect.any(Array) }),
        }),
      );
  });

  it('reach `address` as the policy made them', async () => {
    const asked: string[][] = [];
    const own = { ...gap('too long'), id: 'mine' };
    await pipelineOf({
      address: async (output, gaps) => {
        asked.push(gaps.map(({ id, description }) => `${id}: ${description}`));
        return `${output}!`;
      },
      reviewers: [failing('a')],
      policy: () => ({ kind: 'revise', reason: 'shorter', from: 'best', blocking: [own] }),
      budget: { reviews: 2 },
    }).run('task');
    expect(asked).toEqual([expect.arrayContaining(['mine: too long'])]);
  });
});

/** What `address` was asked to mend, and from which output. */
function mended(more: Partial<PipelineOptions<string, string>>) {
  const asked: { readonly from: string; readonly gaps: readonly string[] }[] = [];
  const pipeline = pipelineOf({
    address: async (output, gaps) => {
      asked.push({ from: output, gaps: gaps.map(({ description }) => description) });
      return `${output}!`;
    },
    policy: () => undefined,
    budget: { reviews: 2 },
    ...more,
  });
  return { asked, run: () => pipeline.run('task') };
}

const mixed = reviewer<string>('mixed', async () => [
  failed('open', 'open'),
  failed('disputed', 'disputed', { standing: 'disputed' }),
  failed('waived', 'waived', { standing: 'waived' }),
  failed('stuck', 'not fixable', { autoFixable: false }),
]);

const blockingOf = (review: { readonly decision: object } | undefined): readonly Gap[] =>
  (review?.decision as { readonly blocking?: readonly Gap[] } | undefined)?.blocking ?? [];

describe('a policy without an opinion', () => {
  it('has open gaps mended that can be, and no others', async () => {
    const { asked, run } = mended({ reviewers: [mixed] });
    const [first] = (await run()).reviews;
    expect(first?.decision).toMatchObject({ kind: 'revise', from: 'best' });
    expect(blockingOf(first).map(({ description }) => description)).toEqual(['open']);
    expect(asked[0]?.from).toBe('x');
  });

  it('goes on from the best version', async () => {
    const { asked, run } = mended({
      reviewers: [
        reviewer('a', async ({ output }) =>
          output === 'x' ? [failed('a')] : [failed('a'), failed('b', 'worse')],
        ),
      ],
      budget: { reviews: 3 },
    });
    const { reviews, status } = await run();
    expect(asked.map(({ from }) => from)).toEqual(['x', 'x']);
    expect(reviews).toHaveLength(2);
    expect(status).toBe('stalled');
  });

  const stuck = async () => [
    failed('stuck', 'not fixable', { autoFixable: false }),
    failed('disputed', 'disputed', { standing: 'disputed' }),
  ];
  const down = reviewer<string>('down', () => Promise.reject(new Error('down')));
  it.each<[string, PipelineOptions<string, string>['reviewers']]>([
    ['gaps are left that nobody may mend', [reviewer('a', stuck)]],
    ['a judge failed', [failing('a'), down]],
    ['nothing is wrong', [passing('a')]],
  ])('ends the run where %s', async (_, reviewers) => {
    const { asked, run } = mended({ ...(reviewers && { reviewers }), retries: 0 });
    expect(await run()).toMatchObject({ status: 'inconclusive', code: 'no_decision' });
    expect(asked).toEqual([]);
  });
});

describe('a policy that wants gaps to be revised', () => {
  const revising =
    (choose: (gaps: readonly Gap[]) => readonly Gap[]): Policy =>
    ({ review }) => ({
      kind: 'revise',
      reason: 'mend it',
      from: 'latest',
      blocking: choose(review.gaps) as unknown as readonly [Gap],
    });

  it('has only open ones revised', async () => {
    const { asked, run } = mended({ reviewers: [mixed], policy: revising((gaps) => gaps) });
    const [first] = (await run()).reviews;
    expect(first?.decision).toMatchObject({ kind: 'revise', reason: 'mend it', from: 'latest' });
    expect(blockingOf(first).map(({ description }) => description)).toEqual([
      'open',
      'not fixable',
    ]);
    expect(asked[0]?.gaps).toEqual(['open', 'not fixable']);
  });

  it.each([
    ['only disputed gaps', 'disputed', { status: 'escalated', code: 'disputed' }],
    ['no gap at all', 'none', { status: 'stalled', code: 'nothing_to_revise' }],
  ])('is stopped where it names %s', async (_, standing, end) => {
    const chosen = (gap: Gap): boolean => gap.standing === standing;
    const { asked, run } = mended({
      reviewers: [mixed],
      policy: revising((gaps) => gaps.filter(chosen)),
    });
    expect(await run()).toMatchObject(end);
    expect(asked).toEqual([]);
  });
});

describe('what is no decision', () => {
  const decisions: readonly unknown[] = [
    { kind: 'stop', status: 'approved', code: 'x', reason: 'x' },
    { kind: 'stop', status: 'Approved', code: 'x', reason: 'x' },
    { kind: 'stop', status: 'accepted', code: 'x', reason: 'x' },
    { kind: 'stop', status: 'failed', code: 'x', reason: 'x' },
    { kind: 'approved', reason: 'x' },
    { kind: 'approve' },
    { kind: 'ask', question: '?', reason: 'x', allowed: ['yes'] },
    { kind: 'ask', question: '?', reason: 'x', allowed: [] },
    { kind: 'revise', reason: 'x', from: 'first', blocking: [gap('x')] },
    { kind: 'revise', reason: 'x', from: 'best', blocking: [{ description: 'x' }] },
    Promise.resolve({ kind: 'approve', reason: 'x' }),
    'approve',
    true,
    null,
  ];
  const judges: Readonly<Record<string, () => unknown>> = {
    failing: () => 'no',
    errored: throwing('down'),
    undecided: () => ({ passed: false, score: 0, details: '', undecided: 'nobody knows' }),
    passing: () => true,
  };

  describe.each(Object.entries(judges))('over a %s criterion', (_, check) => {
    it.each(decisions.map((decision) => [decision]))(
      'fails the run: %j [R2-045]',
      async (decision) => {
        const outcome = await pipelineOf({
          criteria: { a: check as () => boolean },
          retries: 0,
          failFast: false,
          policy: () => decision as never,
        }).run('task');
        expect(outcome).toMatchObject({ status: 'failed', code: 'policy_invalid', output: 'x' });
        expect(outcome.error?.message).toContain('the policy returned an invalid decision');
      },
    );
  });

  it('brings in no member that the engine did not ask for [R2-045]', async () => {
    const policy: Policy = ({ review }) => {
      const note = { note: 'go on for ever' };
      return { kind: 'revise', reason: 'x', from: 'latest', blocking: [review.gaps[0]!], ...note };
    };
    let made = 0;
    const outcome = await pipelineOf({
      address: async () => `${++made}`,
      criteria: { a: () => 'no' },
      budget: { reviews: 2 },
      policy,
    }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'iterations' });
    expect(made).toBe(1);
  });
});

describe('a decision of a policy', () => {
  const run = (policy: Policy) =>
    pipelineOf({
      address: async (output) => `${output}!`,
      criteria: { minor: { check: () => 'no', severity: 'minor' } },
      budget: { reviews: 2 },
      policy,
    }).run('task');

  it('may accept, and revise from the best, the latest or a new version', async () => {
    expect(await run(() => ({ kind: 'accept', code: 'minor', reason: 'fine' }))).toMatchObject({
      status: 'accepted',
      code: 'minor',
    });
    for (const from of ['best', 'latest', 'anew'] as const) {
      const outcome = await run(({ iteration, review: { gaps } }) => {
        const [first, ...others] = gaps;
        if (iteration > 1 || first === undefined)
          return { kind: 'stop', status: 'escalated', code: 'seen', reason: 'r' };
        return { kind: 'revise', reason: 'r', from, blocking: [first, ...others] };
      });
      // what is produced anew is the same text again
      expect([from, outcome.code]).toEqual([from, from === 'anew' ? 'oscillation' : 'seen']);
    }
  });
});

describe('decisions about a question', () => {
  const question = { id: 'q', undecided: [{ criterion: 'a' }, { criterion: 'b' }] } as never;
  const decide = (decisions: object) => ({ kind: 'decide', by: 'ann', decisions }) as never;

  it('name only what it leaves open; other answers name nothing', () => {
    for (const answer of [decide({ a: 'yes' }), decide({ a: 'no', b: 'yes' })])
      expect(() => checkNamed(answer, question)).not.toThrow();
    expect(() => checkNamed({ kind: 'approve', by: 'ann' }, { id: 'q' })).not.toThrow();
    expect(() => checkNamed(decide({ a: 'yes', c: 'yes' }), question)).toThrow(
      expect.objectContaining({
        code: 'decision_unknown',
        value: ['c'],
        what: 'question q does not leave c undecided; it leaves a, b',
      }),
    );
    expect(() => checkNamed(decide({ c: 'yes' }), { id: 'q' })).toThrow('it leaves nothing');
  });

  it('belong to a question whose name other open criteria change', () => {
    const name = (...criteria: readonly string[]) =>
      undecidedName({
        assessments: criteria.map((criterion) => ({
          ...{ verdict: 'undecided', criterion, reason: 'r', decidableBy: [] },
        })),
      } as never);
    expect(name('a', 'b')).toMatch(/^undecided:[\da-f]{16}$/);
    expect(new Set([name('a'), name('b'), name('a', 'b'), name('ab')]).size).toBe(4);
  });
});

describe('policies that misbehave', () => {
  const run = (policy: Policy, more: object = {}) =>
    pipelineOf({ criteria: { a: () => 'no' }, policy, ...more }).run('task');

  it('one that throws makes the run fail with the version', async () => {
    const cause = new Error('bug');
    const policy = throwing(cause);
    const error = { code: 'policy_failed', cause };
    expect(await run(policy)).toMatchObject({
      status: 'failed',
      code: error.code,
      output: 'x',
      error,
    });
  });

  it('one without opinion never approves', async () => {
    expect(await run(() => undefined)).toMatchObject({ status: 'exhausted', code: 'no_address' });
    expect(await run(() => undefined, { criteria: { a: () => true } })).toMatchObject({
      status: 'inconclusive',
      code: 'no_decision',
    });
  });

  it('one that approves although a judge failed, or nothing was judged, is overruled', async () => {
    const always: Policy = () => ({ kind: 'approve', reason: 'why not' });
    expect(
      await run(always, {
        criteria: {
          a: throwing('x'),
        },
      }),
    ).toMatchObject({ status: 'inconclusive', code: 'judge_failed' });
    const skipping: Reviewer<unknown, string> = reviewer('s', async () => [
      { verdict: 'skipped', criterion: 's', reason: 'not applicable' },
    ]);
    expect(await run(always, { criteria: {}, reviewers: [skipping] })).toMatchObject({
      status: 'inconclusive',
      code: 'nothing_judged',
    });
  });
});

it('a decision with the code of open questions asks nobody unless it ends the run for them', async () => {
  const accept: Policy = () => ({ kind: 'accept', code: 'undecided', reason: 'so what' });
  const outcome = await pipelineOf({
    reviewers: [failing('judge')],
    policy: accept,
    human: { policy: 'require' },
  }).run('task');
  expect(outcome).toMatchObject({ status: 'accepted', code: 'undecided' });
});
