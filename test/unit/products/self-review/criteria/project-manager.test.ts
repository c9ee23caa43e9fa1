import { describe, expect, it } from 'vitest';
import type { CriterionResult } from '@/core/criterion.js';
import { type AgentOutput, agentRequest } from '@/products/self-review/agent.js';
import { ProjectManagerReviewCriteria } from '@/products/self-review/criteria/project-manager.js';
import { context } from '../support.js';

const manager = new ProjectManagerReviewCriteria();

function plan(...tasks: unknown[]): AgentOutput {
  const userStory = 'As a customer I reset my password by mail';
  const features = [{ id: 'f1', title: 'Accounts', userStory, tasks }];
  return { artifacts: [], result: { epics: [{ features }, {}] } };
}

async function judge(id: string, tasks: unknown[], options: object = {}): Promise<CriterionResult> {
  const { criteria } = new ProjectManagerReviewCriteria(options);
  const found = criteria.find((criterion) => criterion.id === id);
  if (found === undefined) throw new Error(id);
  return found.validate(plan(...tasks), agentRequest('Plan it'), context);
}

/** How the tasks cover a requirement. */
const covered = (requirement: string, ...tasks: unknown[]) =>
  manager.checkRequirementCovered(requirement, plan(...tasks), context);

const full = (id: string, more: object = {}): object => ({
  ...{ id, title: `Task ${id}`, acceptanceCriteria: ['done'], dependencies: [] },
  ...{ complexity: 'small', assignedAgents: ['dev'], ...more },
});

/** Twenty tasks, of which some have nothing but an id. */
const tasks = (lacking: number): unknown[] =>
  Array.from({ length: 20 }, (_, index) =>
    index < lacking ? { id: `t${index}` } : full(`t${index}`),
  );

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

  const judged: [string, string, unknown[], object][] = [
    ['SR-105', 'tasks_have_acceptance_criteria', tasks(2), { passed: true, score: 0.9 }],
    ['SR-105', 'tasks_have_acceptance_criteria', tasks(3), { passed: false, score: 0.85 }],
    ['SR-108', 'agents_assigned', tasks(1), { passed: true, score: 0.95 }],
    ['SR-108', 'agents_assigned', tasks(2), { passed: false, score: 0.9 }],
    [
      ...(['SR-106', 'dependencies_valid'] as const),
      [full('a', { dependencies: ['b'] }), full('b')],
      { passed: true, score: 1 },
    ],
    [
      ...(['SR-106', 'dependencies_valid'] as const),
      [full('a', { dependencies: ['zz'] })],
      { passed: false, score: 0, details: 'Invalid dependencies: a -> zz' },
    ],
    [
      ...(['SR-106', 'dependencies_valid'] as const),
      [full('a', { dependencies: ['b'] }), full('b', { dependencies: ['a'] })],
      { passed: false, score: 0, details: 'Circular dependencies: a -> b -> a' },
    ],
    [
      ...(['SR-107', 'balanced_complexity'] as const),
      [full('a'), full('b'), full('c'), full('d', { complexity: 'epic' })],
      { passed: false, score: 0.75, suggestedFix: expect.stringContaining('Task d') },
    ],
  ];

  it.each(judged)(
    '%s: %s is judged by the share of tasks [SR-105, SR-106, SR-107, SR-108, SR-148]',
    async (_, id, given, result) => {
      expect(await judge(id, given)).toMatchObject(result);
    },
  );

  it('a task or feature that holds the requirement covers it, with its id and 0.8; else 0.2 [SR-109]', async () => {
    const task = full('t7', { title: 'Send the invoice by mail' });
    expect(await covered('send the invoice', task)).toMatchObject({
      covered: true,
      confidence: 0.8,
      evidenceLocation: 't7',
      coverageDetails: 'Covered by: Send the invoice by mail',
    });
    const feature = { covered: true, evidenceLocation: 'f1' };
    expect(await covered('Reset password', task)).toMatchObject(feature);
    const none = { covered: false, confidence: 0.2 };
    expect(await covered('Export charts', task)).toMatchObject(none);
  });

  it('a requirement need not stand word for word in a title [D004-26]', async () => {
    const requirement = 'The system must send invoices to customers by mail.';
    const task = full('t7', { title: 'Invoice mail' });
    expect(await covered(requirement, task)).toMatchObject({
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

describe('the task that covers a requirement', () => {
  const far = `Export ${'lorem ipsum '.repeat(200)} charts ${'dolor sit '.repeat(200)}`;

  it.each<[string, string, object[], object]>([
    [
      'is the one with most of its words',
      'Send the invoice by mail',
      [
        { id: 't1', title: 'Mail' },
        { id: 't2', title: 'Send invoice' },
        { id: 't3', title: 'Send' },
      ],
      { evidenceLocation: 't2', coverageDetails: 'Covered by: Send invoice' },
    ],
    [
      'is not one that only has the letters of the word',
      'art',
      [
        { id: 't1', title: 'Start the party' },
        { id: 't2', title: 'Modern art' },
      ],
      { evidenceLocation: 't2' },
    ],
    [
      'is the right one of two tasks with one id',
      'Export charts',
      [
        { id: 't1', title: 'Accounts' },
        { id: 't1', title: 'Export charts' },
      ],
      { covered: true, coverageDetails: 'Covered by: Export charts' },
    ],
    [
      'has an id where it has no title',
      'Export charts',
      [{ id: 't1', description: 'Export charts' }],
      { evidenceLocation: 't1', coverageDetails: 'Covered by: t1' },
    ],
    [
      'may have the words far apart',
      'Export charts legend colours',
      [{ id: 't1', title: 'x', description: far }],
      { covered: true, evidenceLocation: 't1' },
    ],
    ...['', ' '].map((blank): [string, string, object[], object] => [
      `exists for no requirement without words: "${blank}"`,
      blank,
      [{ id: 't1', title: 'Export charts' }],
      { covered: false, confidence: 0 },
    ]),
  ])('%s', async (_, requirement, given, found) => {
    expect(await covered(requirement, ...given)).toMatchObject(found);
  });

  it('has no place without an id', async () => {
    const unnumbered = await covered('Export charts', { title: 'Export charts' });
    expect(unnumbered).toMatchObject({ coverageDetails: 'Covered by: Export charts' });
    expect(unnumbered).not.toHaveProperty('evidenceLocation');
  });
});

it.each<[object, string, boolean]>([
  [{}, 'epic', false],
  [{}, '', true],
  [{ complexityShare: 0.9 }, '', false],
  [{}, 'gigantic', false],
  [{ scale: ['gigantic', 'small'] }, 'gigantic', true],
  [{}, 'large', true],
  [{ tooComplex: ['large'] }, 'large', false],
])(
  'the options of a project manager’s criteria: %o: a task of complexity "%s" passes: %s',
  async (options, complexity, passed) => {
    const given = [full('a', { complexity }), full('b')];
    expect(await judge('balanced_complexity', given, options)).toMatchObject({ passed });
  },
);
