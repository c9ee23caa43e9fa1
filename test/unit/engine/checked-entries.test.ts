import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  definePipeline,
  gap,
  type Policy,
  type Reviewer,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const four = { a: () => true, b: () => true, c: () => true, d: () => true };

describe('a confirming judge that fails a version', () => {
  const dissents: readonly (readonly [string, Assessment])[] = [
    ['that names another criterion', failed('late', 'no', { criterionId: 'totals' })],
    ['that names no criterion', failed('late', 'no', { criterionId: '' })],
    ['that names a criterion that passes', failed('late', 'no', { criterionId: 'a' })],
    ['that names another reviewer', failed('late', 'no', { raisedBy: 'a' })],
    ['that is minor', failed('late', 'no', { severity: 'minor' })],
    ['that is waived', failed('late', 'no', { standing: 'waived' })],
    ['that is disputed', failed('late', 'no', { standing: 'disputed' })],
    ['that nobody can fix', failed('late', 'no', { autoFixable: false })],
    ['of none', { ...failed('late'), gaps: [] } as Assessment],
  ];
  const policies: Readonly<Record<string, Policy | undefined>> = {
    'the default policy': undefined,
    'a policy that approves everything': () => ({ kind: 'approve', reason: 'fine' }),
    'a policy that accepts everything': () => ({ kind: 'accept', code: 'fine', reason: 'fine' }),
  };

  describe.each(Object.entries(policies))('under %s', (_, policy) => {
    it.each(dissents)('blocks with a gap %s [R2-043, R2-132]', async (_name, dissent) => {
      const outcome = await definePipeline<string, string>({
        produce: async () => 'x',
        criteria: four,
        reviewers: [reviewer('late', async () => [dissent], { tier: 'confirm' })],
        ...(policy && { policy }),
      }).run('task');
      expect(['exhausted', 'escalated']).toContain(outcome.status);
    });
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
    errored: () => {
      throw new Error('down');
    },
    undecided: () => ({ passed: false, score: 0, details: '', undecided: 'nobody knows' }),
    passing: () => true,
  };

  describe.each(Object.entries(judges))('over a %s criterion', (_, check) => {
    it.each(decisions.map((decision) => [decision]))(
      'fails the run: %j [R2-045]',
      async (decision) => {
        const outcome = await definePipeline<string, string>({
          produce: async () => 'x',
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
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: async () => `${++made}`,
      criteria: { a: () => 'no' },
      budget: { reviews: 2 },
      policy,
    }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'iterations' });
    expect(made).toBe(1);
  });
});

describe('a reviewer', () => {
  it('stays as it was when its pipeline was defined [R2-047]', async () => {
    const late = {
      id: 'late',
      version: '1',
      tier: 'confirm' as Reviewer<unknown, string>['tier'],
      asked: 0,
      async review() {
        this.asked += 1;
        return [failed('late')];
      },
    };
    const after = { ...late, id: 'after', tier: 'code' as const, after: ['a'] };
    const reviewers = [reviewer<string>('a', async () => [passed('a')]), late];
    const pipeline = definePipeline<string, string>({ produce: async () => 'x', reviewers });
    Object.assign(late, { tier: 'late', id: 'x', review: async () => [passed('late')] });
    reviewers.length = 0;
    after.after.push('b');
    const outcome = await pipeline.run('task');
    expect(late.asked).toBe(1);
    expect(outcome).toMatchObject({ approved: false, reviews: [{ complete: true }] });
  });

  it('that leaves a hole in its list has not answered [R2-054]', async () => {
    const holed: Assessment[] = [];
    holed[1] = passed('h');
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer<string>('h', async () => holed)],
      retries: 0,
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'inconclusive',
      reviews: [{ assessments: [{ verdict: 'errored', error: { code: 'reviewer_invalid' } }] }],
    });
  });
});

describe('a version about which a person answered', () => {
  it('gives way to the version that was made of it: its tool runs once [R2-052]', async () => {
    const ran: string[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async () => 'wait for the tool',
      address: async (output) => {
        if (output === 'wait for the tool') ran.push('tool');
        return output === 'wait for the tool' ? 'tool ran' : 'done';
      },
      reviewers: [
        reviewer<string>('tool', async ({ output }, context) => {
          if (output === 'wait for the tool')
            await context.ask('tool', { question: 'run it?', allowed: ['approve'], gaps: [] });
          return [output === 'done' ? passed('tool') : failed('tool', `not done: ${output}`)];
        }),
      ],
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const outcome = await pipeline.answer(requests[0]!, { kind: 'approve', by: 'ann' });
    expect(ran).toEqual(['tool']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'done' });
  });
});

describe('usage', () => {
  it('of a review keeps a number that did not grow [R2-061]', async () => {
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (output) => `${output}!`,
      reviewers: [
        reviewer<string>('a', async (_, context) => {
          context.reportUsage({ inputTokens: 5, cachedInputTokens: 0 });
          return [failed('a')];
        }),
      ],
      budget: { reviews: 2 },
    }).run('task');
    expect(outcome.reviews.map(({ usage }) => usage.cachedInputTokens)).toEqual([0, 0]);
  });

  it('is told apart from what is only reserved [R2-060]', async () => {
    const outcome = await definePipeline<string, string>({
      produce: async (_, context) => {
        context.reportUsage({ totalTokens: 100 });
        return 'x';
      },
      reviewers: [
        reviewer<string>('a', async (_, context) => {
          context.budget.reserve({ totalTokens: 438 });
          return [passed('a')];
        }),
      ],
      budget: { tokens: 390 },
      retries: 0,
    }).run('task');
    expect(outcome.reason).toBe('token budget 390 exceeded: 100 used, 438 reserved');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens' });
  });
});

describe('a listener', () => {
  it('is removed by what `on` returns, and many runs leave nothing behind [R2-070]', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { a: () => true },
    });
    let heard = 0;
    const stop = pipeline.on('run-end', () => {
      heard += 1;
    });
    await pipeline.run('task');
    stop();
    stop();
    await pipeline.run('task');
    expect(heard).toBe(1);
  });
});
