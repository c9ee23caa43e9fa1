import { describe, expect, it } from 'vitest';
import { agentRequest, textOutput } from '../../../../src/self-review/agent.js';
import { BaseAgentReviewCriteria } from '../../../../src/self-review/criteria/base-agent-review-criteria.js';
import type { ReviewCriterion } from '../../../../src/self-review/review-criterion.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };

class Implying extends BaseAgentReviewCriteria {
  agentId = 'implying';
  criteria: ReviewCriterion[] = [];
  implied: string[] = [];
  protected override inferImplicitRequirements(): string[] {
    return this.implied;
  }
  async source(requirement: string) {
    return (await this.checkRequirementCovered(requirement, textOutput('tea'), context)).source;
  }
}

describe('the source of a requirement', () => {
  it('is explicit if the task states it, also after a task that only implied it', async () => {
    const criteria = new Implying();
    criteria.implied = ['Loading states', 'Error message'];
    await criteria.extractRequirements(agentRequest('Design it.'));
    expect(await criteria.source('Loading states')).toBe('implicit');
    criteria.implied = [];
    await criteria.extractRequirements(
      agentRequest({ description: '- Loading states', acceptanceCriteria: ['Error message'] }),
    );
    expect(await criteria.source('Loading states')).toBe('explicit');
    expect(await criteria.source('Error message')).toBe('explicit');
  });

  it('is remembered for 10,000 requirements, the newest', async () => {
    const criteria = new Implying();
    const count = 10_001;
    criteria.implied = Array.from({ length: count }, (_, index) => `Screen ${index}`);
    await criteria.extractRequirements(agentRequest('Design it.'));
    expect(await criteria.source('Screen 0')).toBe('explicit');
    expect(await criteria.source('Screen 1')).toBe('implicit');
    expect(await criteria.source(`Screen ${count - 1}`)).toBe('implicit');
  });

  it('needs a text: blank requirements are left out', async () => {
    const criteria = new Implying();
    criteria.implied = [' ', 'Loading states', ''];
    expect(
      await criteria.extractRequirements(
        agentRequest({ description: '', acceptanceCriteria: [' ', ' Is short '] }),
      ),
    ).toEqual(['Loading states', 'Is short']);
  });
});
