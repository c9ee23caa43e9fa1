import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  criterion,
  SelfReviewLoop,
  textOutput,
} from '../../../src/index.js';

const ok = <Request>() => criterion<AgentOutput, Request>('ok', () => true);

/** Covers the first of two requirements. */
function criteria<Request>(second: string): AgentReviewCriteria<AgentOutput, Request> {
  return {
    agentId: 'writer',
    criteria: [ok<Request>()],
    extractRequirements: async () => ['mentions tea', second],
    checkRequirementCovered: async (requirement) => ({
      requirement,
      source: 'explicit',
      covered: requirement !== second,
      coverageDetails: '',
      confidence: 1,
    }),
  };
}

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

describe('criteria without an agent', () => {
  it('are recorded under the id `agent`', async () => {
    const { reviews } = await new SelfReviewLoop([ok<AgentRequest>()]).run(
      agentRequest('tea'),
      async () => textOutput('tea'),
    );
    expect(reviews).toMatchObject([{ agentId: 'agent' }]);
  });
});
