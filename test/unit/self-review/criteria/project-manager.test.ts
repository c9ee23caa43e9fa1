import { beforeEach, describe, expect, it } from 'vitest';
import type { CriterionResult } from '../../../../src/core/criterion.js';
import { type AgentOutput, agentRequest } from '../../../../src/self-review/agent.js';
import { ProjectManagerReviewCriteria } from '../../../../src/self-review/criteria/project-manager.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };
let manager: ProjectManagerReviewCriteria;
beforeEach(() => {
  manager = new ProjectManagerReviewCriteria();
});

function plan(...tasks: unknown[]): AgentOutput {
  return {
    artifacts: [],
    result: {
      epics: [
        {
          features: [
            {
              id: 'f1',
              title: 'Accounts',
              userStory: 'As a customer I reset my password by mail',
              tasks,
            },
          ],
        },
        {},
      ],
    },
  };
}

function judge(id: string, output: AgentOutput): Promise<CriterionResult> {
  const found = manager.criteria.find((criterion) => criterion.id === id);
  if (found === undefined) throw new Error(id);
  return found.validate(output, agentRequest('Plan it'), context);
}

const full = (id: string): object => ({
  id,
  title: `Task ${id}`,
  acceptanceCriteria: ['done'],
  dependencies: [],
  complexity: 'small',
  assignedAgents: ['dev'],
});

describe('ProjectManagerReviewCriteria', () => {
  it('has the id and the four criteria of the seed, over the tasks of all features [SR-104, SR-139]', async () => {
    expect(manager.agentId).toBe('project_manager');
    expect(manager.criteria.map(({ id, severity, category }) => [id, severity, category])).toEqual([
      ['tasks_have_acceptance_criteria', 'critical', 'incomplete'],
      ['dependencies_valid', 'critical', 'incorrect'],
      ['balanced_complexity', 'major', 'incomplete'],
      ['agents_assigned', 'major', 'incomplete'],
    ]);
    for (const criterion of manager.criteria)
      expect(
        await criterion.validate(plan(full('a'), full('b')), agentRequest('x'), context),
      ).toMatchObject({ passed: true, score: 1 });
  });

  it('an empty plan passes none of them [D004-18]', async () => {
    for (const criterion of manager.criteria)
      expect(await criterion.validate(plan(), agentRequest('x'), context)).toMatchObject({
        passed: false,
        score: 0,
      });
  });

  it('acceptance criteria are needed by 90% of the tasks [SR-105, SR-148]', async () => {
    const tasks = (lacking: number): unknown[] =>
      Array.from({ length: 20 }, (_, index) =>
        index < lacking ? { id: `t${index}` } : full(`t${index}`),
      );
    expect(await judge('tasks_have_acceptance_criteria', plan(...tasks(2)))).toMatchObject({
      passed: true,
      score: 0.9,
    });
    expect(await judge('tasks_have_acceptance_criteria', plan(...tasks(3)))).toMatchObject({
      passed: false,
      score: 0.85,
    });
  });

  it('dependencies exist and form no cycle [SR-106, SR-148]', async () => {
    expect(
      await judge('dependencies_valid', plan({ ...full('a'), dependencies: ['b'] }, full('b'))),
    ).toMatchObject({ passed: true, score: 1 });
    expect(
      await judge('dependencies_valid', plan({ ...full('a'), dependencies: ['zz'] })),
    ).toMatchObject({ passed: false, score: 0, details: 'Invalid dependencies: a -> zz' });
    expect(
      await judge(
        'dependencies_valid',
        plan({ ...full('a'), dependencies: ['b'] }, { ...full('b'), dependencies: ['a'] }),
      ),
    ).toMatchObject({
      passed: false,
      score: 0,
      details: 'Circular dependencies: a -> b -> a',
    });
  });

  it('a task of complexity epic fails, by its share [SR-107, SR-148]', async () => {
    expect(
      await judge(
        'balanced_complexity',
        plan(full('a'), full('b'), full('c'), { ...full('d'), complexity: 'epic' }),
      ),
    ).toMatchObject({
      passed: false,
      score: 0.75,
      suggestedFix: expect.stringContaining('Task d'),
    });
  });

  it('agents are needed by 95% of the tasks [SR-108, SR-148]', async () => {
    const tasks = (lacking: number): unknown[] =>
      Array.from({ length: 20 }, (_, index) =>
        index < lacking ? { id: `t${index}` } : full(`t${index}`),
      );
    expect(await judge('agents_assigned', plan(...tasks(1)))).toMatchObject({
      passed: true,
      score: 0.95,
    });
    expect(await judge('agents_assigned', plan(...tasks(2)))).toMatchObject({
      passed: false,
      score: 0.9,
    });
  });

  it('a task or feature that holds the requirement covers it, with its id and 0.8; else 0.2 [SR-109]', async () => {
    const output = plan({ ...full('t7'), title: 'Send the invoice by mail' });
    expect(
      await manager.checkRequirementCovered('send the invoice', output, context),
    ).toMatchObject({
      covered: true,
      confidence: 0.8,
      evidenceLocation: 't7',
      coverageDetails: 'Covered by: Send the invoice by mail',
    });
    expect(await manager.checkRequirementCovered('Reset password', output, context)).toMatchObject({
      covered: true,
      evidenceLocation: 'f1',
    });
    expect(await manager.checkRequirementCovered('Export charts', output, context)).toMatchObject({
      covered: false,
      confidence: 0.2,
    });
  });

  it('a requirement need not stand word for word in a title [D004-26]', async () => {
    expect(
      await manager.checkRequirementCovered(
        'The system must send invoices to customers by mail.',
        plan({ ...full('t7'), title: 'Invoice mail' }),
        context,
      ),
    ).toMatchObject({
      covered: true,
      evidenceLocation: 't7',
    });
  });

  it('features without tasks and titles are no errors [D004-29]', async () => {
    const output: AgentOutput = {
      artifacts: [],
      result: { epics: [{ features: [{}, { tasks: [{}] }] }, { features: 3 }, null] },
    };
    expect(await manager.checkRequirementCovered('anything', output, context)).toMatchObject({
      covered: false,
    });
    for (const criterion of manager.criteria)
      await expect(criterion.validate(output, agentRequest('x'), context)).resolves.toHaveProperty(
        'passed',
      );
  });

  it('takes other thresholds', () => {
    expect(() => new ProjectManagerReviewCriteria({ assignedShare: 2 })).toThrow(/assignedShare/);
    expect(new ProjectManagerReviewCriteria({ acceptanceShare: 1 }).criteria).toHaveLength(4);
  });
});
