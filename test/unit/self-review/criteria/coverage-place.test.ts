import { describe, expect, it } from 'vitest';
import { type AgentOutput, textOutput } from '../../../../src/self-review/agent.js';
import { BaseAgentReviewCriteria } from '../../../../src/self-review/criteria/base-agent-review-criteria.js';
import type { ReviewCriterion } from '../../../../src/self-review/review-criterion.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };

class Docs extends BaseAgentReviewCriteria {
  agentId = 'docs';
  criteria: ReviewCriterion[] = [];
}

class Letters extends BaseAgentReviewCriteria<{ body: string }, string> {
  agentId = 'letters';
  criteria: ReviewCriterion<{ body: string }, string>[] = [];
  protected override textOf(output: { body: string }): string {
    return output.body;
  }
}

describe('where a requirement is covered', () => {
  it('is a line of one of several files, with a quote', async () => {
    const output: AgentOutput = {
      artifacts: [
        ...textOutput('Some words', 'a.md').artifacts,
        ...textOutput('\nTable of contents', 'b.md').artifacts,
      ],
    };
    expect(
      await new Docs().checkRequirementCovered('Table of contents', output, context),
    ).toMatchObject({
      covered: true,
      evidenceLocation: 'b.md:2',
      evidence: [{ file: 'b.md', line: 2, quote: expect.stringContaining('Table of contents') }],
    });
  });

  it('is no file where only the result contains it', async () => {
    const covered = await new Docs().checkRequirementCovered(
      'Table of contents',
      { artifacts: [], result: 'Table of contents' },
      context,
    );
    expect(covered.covered).toBe(true);
    expect(covered).not.toHaveProperty('evidenceLocation');
  });

  it('is the file of this output, although another had the same text', async () => {
    const docs = new Docs();
    for (const path of ['a.md', 'b.md'])
      expect(
        await docs.checkRequirementCovered(
          'Table of contents',
          textOutput('Table of contents', path),
          context,
        ),
      ).toMatchObject({ evidenceLocation: `${path}:1` });
  });

  it('is searched for in each output, with a text of its own too', async () => {
    const letters = new Letters();
    for (const [body, covered] of [
      ['about the setup', true],
      ['nothing', false],
      ['about the setup', true],
    ] as const)
      expect(await letters.checkRequirementCovered('the setup', { body }, context)).toMatchObject({
        covered,
      });
  });
});
