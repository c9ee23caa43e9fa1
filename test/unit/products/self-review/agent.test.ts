import { describe, expect, it } from 'vitest';
import { isJudged } from '@/core/assessment.js';
import { AssessmentSchema } from '@/core/assessment-schema.js';
import { ReviewLoopError } from '@/core/errors.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  criterion,
  SelfReviewLoop,
  textOutput,
} from '@/index.js';
import { AgentOutputSchema } from '@/products/self-review/agent.js';
import { agentCriteria } from './support.js';

describe('agentRequest and textOutput', () => {
  it('make a request from a text or a description', () => {
    expect(agentRequest('tea')).toEqual({
      context: { task: { id: 'task', description: 'tea' }, items: [] },
    });
    expect(
      agentRequest({ id: 't1', description: 'tea', acceptanceCriteria: ['hot'] }).context.task,
    ).toEqual({ id: 't1', description: 'tea', acceptanceCriteria: ['hot'] });
  });

  it('make an output from a text', () => {
    expect(AgentOutputSchema.parse(textOutput('tea'))).toEqual({
      artifacts: [{ type: 'text', path: 'output.md', content: 'tea' }],
    });
    expect(textOutput('tea', 'a.txt').artifacts[0]?.path).toBe('a.txt');
  });
});

describe('assessments', () => {
  const judged = { criterion: 'a', score: 1, explanation: '', gaps: [] };

  it.each([
    { verdict: 'pass', ...judged },
    { verdict: 'fail', ...judged, category: 'incorrect' },
    { verdict: 'skipped', criterion: 'a', reason: 'why' },
    { verdict: 'errored', criterion: 'a', error: new ReviewLoopError('timeout', 'late') },
  ])('takes $verdict', (assessment) => {
    const parsed = AssessmentSchema.parse(assessment);
    expect(parsed).toEqual(assessment);
    expect(isJudged(parsed)).toBe(assessment.verdict === 'pass' || assessment.verdict === 'fail');
  });

  it.each([
    ['a score above 1', { verdict: 'pass', ...judged, score: 7 }],
    ['NaN', { verdict: 'fail', ...judged, score: Number.NaN }],
    ['no score', { verdict: 'pass', criterion: 'a', explanation: '', gaps: [] }],
    ['a skip without a reason', { verdict: 'skipped', criterion: 'a', reason: '' }],
    [
      'an error that is none of ours',
      { verdict: 'errored', criterion: 'a', error: new Error('e') },
    ],
    ['another verdict', { verdict: 'ok', ...judged }],
    ['approval as a text', 'pass'],
  ])('refuses %s', (_, assessment) => {
    expect(AssessmentSchema.safeParse(assessment).success).toBe(false);
  });
});

const ok = <Request>() => criterion<AgentOutput, Request>('ok', () => true);

/** Covers the first of two requirements. */
const criteria = <Request>(second: string) =>
  agentCriteria<AgentOutput, Request>([ok<Request>()], { 'mentions tea': true, [second]: false });

describe('the requirements of an agent', () => {
  const lenient = { completenessThreshold: 0.5, qualityThreshold: 0.5 };

  it('that are acceptance criteria are mandatory, also with spaces around them', async () => {
    const statusFor = async (acceptanceCriteria: string[]) => {
      const loop = new SelfReviewLoop(criteria<AgentRequest>('is short'), lenient);
      const request = agentRequest({ description: 'Write', acceptanceCriteria });
      return (await loop.run(request, async () => textOutput('tea'))).outcome.status;
    };
    expect(await statusFor([])).toBe('approved');
    expect(await statusFor(['is short'])).not.toBe('approved');
    expect(await statusFor(['  is short '])).not.toBe('approved');
  });

  it('may belong to a request of any type', async () => {
    const loop = new SelfReviewLoop(criteria<string>('is short'), lenient);
    const { outcome } = await loop.run('Write', async () => textOutput('tea'));
    expect(outcome.status).toBe('approved');
  });
});

it('criteria without an agent are recorded under the id `agent`', async () => {
  const { reviews } = await new SelfReviewLoop([ok<AgentRequest>()]).run(
    agentRequest('tea'),
    async () => textOutput('tea'),
  );
  expect(reviews).toMatchObject([{ agentId: 'agent' }]);
});

type Hints = NonNullable<AgentOutput['routingHints']> & { readonly queue?: string };

async function routed(hints: Hints | undefined, { passes = true, enabled = true } = {}) {
  const loop = new SelfReviewLoop(
    [criterion<AgentOutput, AgentRequest>('a', () => passes || 'no', { severity: 'minor' })],
    { enabled },
  );
  const produced = Object.freeze({
    ...textOutput('tea'),
    ...(hints !== undefined && { routingHints: Object.freeze({ ...hints }) }),
  });
  const { output } = await loop.execute(agentRequest('tea'), async () => produced);
  return output;
}

const stale = { needsApproval: true, notes: 'Self-review escalation: earlier' };
const limit = { needsApproval: true, notes: 'Max review iterations (3) reached.' };
const own = { needsApproval: true, notes: 'My Self-review says: spends money' };

describe('the routing hints of an output', () => {
  const ends = [
    ['approved', {}],
    ['not reviewed', { enabled: false }],
  ] as const;

  it.each(ends)('stay those of the agent where it is %s', async (_, how) => {
    expect(await routed(undefined, how)).not.toHaveProperty('routingHints');
    for (const hints of [own, { needsApproval: false }])
      expect((await routed(hints, how)).routingHints).toEqual(hints);
  });

  it.each(ends)(
    'lose the note of an earlier review where it is %s, only, and what was produced does not change [D004-33]',
    async (_, how) => {
      for (const hints of [stale, limit])
        expect(await routed(hints, how)).not.toHaveProperty('routingHints');
      const more: Hints = { ...stale, queue: 'press' };
      expect((await routed(more, how)).routingHints).toEqual({ queue: 'press' });
    },
  );

  it('ask for a person where it is not approved', async () => {
    const { routingHints } = await routed({ queue: 'press' }, { passes: false });
    expect(routingHints).toMatchObject({ queue: 'press', needsApproval: true });
    expect(routingHints?.notes).toMatch(/^Self-review /);
  });
});

it('notes and reasoning tell how the run ended, and that nothing is addressed any more [R3-032]', async () => {
  let round = 0;
  const { output, reviews, outcome } = await new SelfReviewLoop([
    criterion<AgentOutput, AgentRequest>('a', () => 'no'),
  ]).execute(
    agentRequest('tea'),
    async () => textOutput('tea'),
    async () => {
      round += 1;
      return textOutput(`tea ${round}`);
    },
  );
  expect(outcome).toMatchObject({ status: 'stalled', code: 'gap_unfixed' });
  expect(reviews).toHaveLength(3);
  expect(output.routingHints?.notes).toBe(`Self-review stalled: ${outcome.reason}`);
  const ends = reviews.map(({ reasoning }) => reasoning.split(' | ').at(-1));
  expect(ends).toEqual(['The gaps are left.', 'Addressing identified gaps.', 'The gaps are left.']);
  expect(output.selfReviewResult).toEqual(reviews[0]);
});
