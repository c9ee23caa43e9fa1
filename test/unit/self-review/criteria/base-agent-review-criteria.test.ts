import { describe, expect, it } from 'vitest';
import type { RequirementCoverage } from '../../../../src/core/coverage.js';
import type { CriterionResult } from '../../../../src/core/criterion.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  textOutput,
} from '../../../../src/self-review/agent.js';
import { BaseAgentReviewCriteria } from '../../../../src/self-review/criteria/base-agent-review-criteria.js';
import type {
  ReviewCriterion,
  SelfReviewContext,
} from '../../../../src/self-review/review-criterion.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };

/** Written as seed 004 writes its classes. */
class Docs extends BaseAgentReviewCriteria {
  agentId = 'docs';

  criteria: ReviewCriterion[] = [
    {
      id: 'has_title',
      name: 'Has title',
      description: 'The text has a title',
      severity: 'major',
      category: 'missing',
      async validate(output, request, _context): Promise<CriterionResult> {
        const passed = output.artifacts.some((artifact) => artifact.content?.startsWith('# '));
        return {
          passed,
          score: passed ? 1 : 0,
          details: request.context.task.id,
          suggestedFix: passed ? undefined : 'Add one',
          estimatedEffort: 'small',
        };
      },
    },
  ];

  protected override inferImplicitRequirements(request: AgentRequest): string[] {
    return request.context.task.description?.includes('guide') ? ['Table of contents'] : [];
  }
}

class Overriding extends Docs {
  override async checkRequirementCovered(
    requirement: string,
    _output: AgentOutput,
    _context: SelfReviewContext,
  ): Promise<RequirementCoverage> {
    return {
      requirement,
      source: 'explicit',
      covered: true,
      coverageDetails: 'always',
      confidence: 1,
    };
  }
}

class Bare extends BaseAgentReviewCriteria<{ body: string }, { ask: string }> {
  agentId = 'bare';
  criteria: ReviewCriterion<{ body: string }, { ask: string }>[] = [];
  protected override textOf(output: { body: string }): string {
    return output.body;
  }
  protected override taskText(request: { ask: string }): string {
    return request.ask;
  }
}

describe('BaseAgentReviewCriteria', () => {
  it('a subclass of the seed works, with its id, criteria and own coverage check [SR-55, SR-137]', async () => {
    const docs = new Docs();
    expect(docs.agentId).toBe('docs');
    expect(
      await docs.criteria[0]?.validate(textOutput('# A'), agentRequest('x'), context),
    ).toMatchObject({ passed: true });
    expect(
      await new Overriding().checkRequirementCovered('a', textOutput(''), context),
    ).toMatchObject({ covered: true, coverageDetails: 'always' });
  });

  it('requirements are the union of explicit, implicit and acceptance criteria, each once [SR-56, SR-61]', async () => {
    const request = agentRequest({
      description: 'Write the guide.\n- Explain the setup\n- Explain the setup',
      acceptanceCriteria: ['Explain the setup', 'Is short', 'Is short'],
    });
    expect(await new Docs().extractRequirements(request)).toEqual([
      'Table of contents',
      'Explain the setup',
      'Is short',
    ]);
    expect(await new Bare().extractRequirements({ ask: '- one thing' })).toEqual(['one thing']);
  });

  it('the description is read, else the prompt [SR-60]', async () => {
    const request: AgentRequest = {
      context: { task: { id: 't', prompt: '- from the prompt' }, items: [] },
    };
    expect(await new Docs().extractRequirements(request)).toEqual(['from the prompt']);
  });

  it('a request without description and prompt has no requirements [D004-23]', async () => {
    expect(
      await new Docs().extractRequirements({ context: { task: { id: 't' }, items: [] } }),
    ).toEqual([]);
  });

  it('coverage carries the source, the place and a quote; an empty requirement is not covered [D004-25]', async () => {
    const docs = new Docs();
    await docs.extractRequirements(agentRequest('Write the guide.'));
    expect(
      await docs.checkRequirementCovered(
        'Table of contents',
        textOutput('\nTable of contents', 'a.md'),
        context,
      ),
    ).toMatchObject({
      source: 'implicit',
      covered: true,
      confidence: 1,
      evidenceLocation: 'a.md:2',
    });
    expect(
      await docs.checkRequirementCovered('Explain the setup', textOutput('nothing'), context),
    ).toMatchObject({ source: 'explicit', covered: false, confidence: 0 });
    expect(await docs.checkRequirementCovered(' ', textOutput('nothing'), context)).toMatchObject({
      covered: false,
      confidence: 0,
      coverageDetails: 'The requirement is empty',
    });
  });

  it('the default check reads what textOf gives, and the result [SR-141]', async () => {
    expect(
      await new Bare().checkRequirementCovered('the setup', { body: 'about the setup' }, context),
    ).toMatchObject({ covered: true });
    expect(
      await new Docs().checkRequirementCovered(
        'the setup',
        { artifacts: [], result: { note: 'setup' } },
        context,
      ),
    ).toMatchObject({ covered: true });
  });
});
