import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  memoryStore,
  type Policy,
  type ReviewerContext,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const asking: Policy = () => ({
  kind: 'ask',
  question: 'may it go?',
  reason: 'to be seen',
  allowed: ['approve', 'reject'],
});

describe('an approval that reviewers did not give', () => {
  it('needs a reason, also where a judge failed and there is no gap to name', async () => {
    const broken = reviewer<string>('a', async () => {
      throw new Error('the judge broke');
    });
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [broken],
      retries: 0,
      policy: asking,
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    await expect(
      pipeline.answer(requests[0]!, { kind: 'approve', by: 'ann' }),
    ).rejects.toMatchObject({
      code: 'reason_required',
      // its way to fix it says so too
      what: expect.stringMatching(/^reviewers did not approve/),
    });
    expect(
      await pipeline.answer(requests[0]!, { kind: 'approve', by: 'ann', reason: 'I read it' }),
    ).toMatchObject({
      status: 'accepted',
      approved: false,
      acceptance: { by: 'ann', reason: 'I read it' },
    });
  });

  it('needs none where everything passed', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer<string>('a', async () => [passed('a')])],
      policy: asking,
    });
    const { requests } = suspended(await pipeline.run('task'));
    expect(await pipeline.answer(requests[0]!, { kind: 'approve', by: 'ann' })).toMatchObject({
      status: 'approved',
    });
  });
});

describe('what a policy decides', () => {
  const dissenting = (more: object) =>
    reviewer<string>('late', async () => [failed('late', 'not good', more)], { tier: 'confirm' });
  const run = (more: object, policy: Policy) =>
    definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer<string>('a', async () => [passed('a')]), dissenting(more)],
      policy,
    }).run('task');
  const accept: Policy = () => ({ kind: 'accept', code: 'advisory', reason: 'they only advise' });

  it.each([
    [
      'a dissent that could be fixed is to be fixed',
      {},
      { status: 'exhausted', code: 'no_address' },
    ],
    [
      'one that nobody can fix is escalated',
      { autoFixable: false },
      { status: 'escalated', code: 'unfixable' },
    ],
    [
      'one that is disputed is escalated',
      { standing: 'disputed' },
      { status: 'escalated', code: 'disputed' },
    ],
  ])('lets nothing through against a confirming judge: %s', async (_, more, ending) => {
    expect(await run(more, accept)).toMatchObject({ ...ending, approved: false });
  });

  it('edits nothing for gaps that are disputed', async () => {
    const disputed = reviewer<string>('a', async () => [
      failed('a', 'perhaps', { standing: 'disputed' }),
    ]);
    const policy: Policy = ({ review }) => ({
      kind: 'revise',
      reason: 'on',
      from: 'latest',
      blocking: [review.gaps[0]!],
    });
    let addressed = 0;
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      address: async () => `${++addressed}`,
      reviewers: [disputed],
      policy,
    }).run('task');
    expect(outcome).toMatchObject({ status: 'escalated', code: 'disputed', output: 'x' });
    expect(addressed).toBe(0);
  });
});

describe('a budget', () => {
  const spending = (work: (budget: ReviewerContext['budget']) => void) =>
    definePipeline<string, string>({
      produce: async () => 'x',
      budget: { tokens: 10 },
      retries: 0,
      reviewers: [
        reviewer<string>('a', async (_subject, context) => {
          work(context.budget);
          return [passed('a')];
        }),
      ],
    }).run('task');

  it.each([{ inputTokens: Number.NaN }, { totalTokens: -1000 }, { costUsd: '1' }, null])(
    'is not opened by an estimate that is no usage: %j',
    async (estimate) => {
      const outcome = await spending((budget) => void budget.reserve(estimate as never));
      expect(outcome).toMatchObject({
        status: 'inconclusive',
        reviews: [{ assessments: [{ verdict: 'errored', error: { code: 'invalid_options' } }] }],
      });
    },
  );

  it('keeps what was set aside where what was used is no usage', async () => {
    const outcome = await spending((budget) => {
      const { settle } = budget.reserve({ totalTokens: 8 });
      expect(() => settle({ totalTokens: -1000 })).toThrow(/usage is invalid/);
      budget.reserve({ totalTokens: 5 });
    });
    expect(outcome).toMatchObject({ approved: false, code: 'budget_tokens' });
  });
});

describe('one review without a run', () => {
  it('cannot ask a person, and says so', async () => {
    const person = reviewer<string>('a', async (_subject, context) => {
      await context.ask('opinion', { question: 'good?', allowed: ['approve'], gaps: [] });
      return [passed('a')];
    });
    const review = await definePipeline<undefined, string>({
      reviewers: [person],
      retries: 0,
    }).review(undefined, 'x');
    expect(review).toMatchObject({
      decision: { kind: 'stop' },
      assessments: [{ verdict: 'errored', error: { code: 'ask_needs_run' } }],
    });
  });
});

describe('an output that was made', () => {
  it('comes back although it could not be recorded, and is not approved', async () => {
    const inner = memoryStore();
    const store = {
      ...inner,
      open: async (runId: string, keep: boolean) => {
        const journal = await inner.open(runId, keep);
        const append: typeof journal.append = (record) =>
          record.type === 'step'
            ? Promise.reject(new Error('the disk is full'))
            : journal.append(record);
        return { ...journal, append, close: () => journal.close() };
      },
    };
    const outcome = await definePipeline<string, string>({
      produce: async () => 'dearly paid',
      criteria: { a: async () => true },
      store,
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'journal_write_failed',
      approved: false,
      output: 'dearly paid',
    });
  });
});
