import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  BaseAgent,
  criterion,
  memoryVerdicts,
  SelfReviewLoop,
  textOutput,
  type VerdictStore,
} from '@/index.js';

const request = agentRequest('Write about tea. It must mention green tea.');

/** An agent's criteria that ask a model, as far as the calls can tell. */
function paidCriteria(version?: string) {
  const asked: string[] = [];
  const criteria: AgentReviewCriteria = {
    agentId: 'writer',
    version,
    criteria: [
      criterion<AgentOutput, AgentRequest>(
        'tone',
        async () => {
          asked.push('tone');
          return true;
        },
        { ...(version !== undefined && { version }) },
      ),
    ],
    extractRequirements: async () => {
      asked.push('extract');
      return ['mention green tea'];
    },
    checkRequirementCovered: async (requirement) => {
      asked.push('covered');
      return {
        requirement,
        source: 'explicit',
        covered: true,
        coverageDetails: 'line 1',
        confidence: 1,
      };
    },
  };
  return { criteria, asked };
}

describe('SelfReviewLoop with a verdict store', () => {
  const loop = async (
    verdicts: VerdictStore,
    criteria: AgentReviewCriteria,
    cacheReviewResults = true,
  ) =>
    (
      await new SelfReviewLoop(criteria, { cacheReviewResults }, { verdicts }).execute(
        request,
        async () => textOutput('green tea'),
      )
    ).outcome;

  it('cacheReviewResults means that a second run over the same output asks nobody, and false that it asks again [D004-13]', async () => {
    const verdicts = memoryVerdicts();
    const { criteria, asked } = paidCriteria('1');
    const first = await loop(verdicts, criteria);
    expect(asked.sort()).toEqual(['covered', 'extract', 'tone']);
    const second = await loop(verdicts, criteria);
    expect(asked).toHaveLength(3);
    expect([first.status, second.status]).toEqual(['approved', 'approved']);
    expect(second.reviews[0]?.scores).toEqual(first.reviews[0]?.scores);
    await loop(verdicts, criteria, false);
    expect(asked).toHaveLength(6);
  });

  it('asks again where criteria and their agent give no version', async () => {
    const verdicts = memoryVerdicts();
    const { criteria, asked } = paidCriteria();
    await loop(verdicts, criteria);
    await loop(verdicts, criteria);
    expect(asked).toHaveLength(6);
  });
});

it('BaseAgent with a verdict store asks nobody about what it produced before', async () => {
  const kept = memoryVerdicts();
  const { criteria, asked } = paidCriteria('1');
  class Writer extends BaseAgent {
    protected override readonly verdicts = kept;
    protected getReviewCriteria(): AgentReviewCriteria {
      return criteria;
    }
    protected async produce(): Promise<AgentOutput> {
      return textOutput('green tea');
    }
  }
  for (let times = 0; times < 2; times += 1)
    expect((await new Writer().run(request)).approved).toBe(true);
  expect(asked).toHaveLength(3);
});
