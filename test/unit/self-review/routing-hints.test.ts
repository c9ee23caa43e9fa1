import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  criterion,
  SelfReviewLoop,
  textOutput,
} from '../../../src/index.js';

type Hints = NonNullable<AgentOutput['routingHints']> & { readonly queue?: string };

/** Returns what a router reads after a run. */
async function routed(hints: Hints | undefined, { passes = true, enabled = true } = {}) {
  const loop = new SelfReviewLoop(
    [criterion<AgentOutput, AgentRequest>('a', () => passes || 'no', { severity: 'minor' })],
    { enabled },
  );
  const { output } = await loop.execute(agentRequest('tea'), async () => ({
    ...textOutput('tea'),
    ...(hints !== undefined && { routingHints: hints }),
  }));
  return output;
}

const stale = { needsApproval: true, notes: 'Self-review escalation: earlier' };
const own = { needsApproval: true, notes: 'My Self-review says: spends money' };

describe('the routing hints of an output', () => {
  it.each([
    ['approved', {}],
    ['not reviewed', { enabled: false }],
  ])('stay those of the agent where it is %s', async (_, how) => {
    expect(await routed(undefined, how)).not.toHaveProperty('routingHints');
    expect((await routed(own, how)).routingHints).toEqual(own);
    expect((await routed({ needsApproval: false }, how)).routingHints).toEqual({
      needsApproval: false,
    });
  });

  it.each([
    ['approved', {}],
    ['not reviewed', { enabled: false }],
  ])('lose the note of an earlier review where it is %s, and nothing else', async (_, how) => {
    expect(await routed(stale, how)).not.toHaveProperty('routingHints');
    const more: Hints = { ...stale, queue: 'press' };
    expect((await routed(more, how)).routingHints).toEqual({ queue: 'press' });
  });

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
