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

  const on = (id: string, other: string) => full(id, { dependencies: [other] });
  const wrong = (details: string) => ({ passed: false, score: 0, details });
  const circle = 'Circular dependencies: a -> b -> a';
  const epic = full('d', { complexity: 'epic' });
  const fix = expect.stringContaining('Task d') as unknown;
  const oneOfFour = { passed: false, score: 0.75, suggestedFix: fix };
  const judged: [string, string, unknown[], object][] = [
    ['SR-105', 'tasks_have_acceptance_criteria', tasks(2), { passed: true, score: 0.9 }],
    ['SR-105', 'tasks_have_acceptance_criteria', tasks(3), { passed: false, score: 0.85 }],
    ['SR-108', 'agents_assigned', tasks(1), { passed: true, score: 0.95 }],
    ['SR-108', 'agents_assigned', tasks(2), { passed: false, score: 0.9 }],
    ['SR-106', 'dependencies_valid', [on('a', 'b'), full('b')], { passed: true, score: 1 }],
    ['SR-106', 'dependencies_valid', [on('a', 'zz')], wrong('Invalid dependencies: a -> zz')],
    ['SR-106', 'dependencies_valid', [on('a', 'b'), on('b', 'a')], wrong(circle)],
    ['SR-107', 'balanced_complexity', [...['a', 'b', 'c'].map((id) => full(id)), epic], oneOfFour],
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
  });

  it('takes other thresholds', () => {
    expect(() => new ProjectManagerReviewCriteria({ assignedShare: 2 })).toThrow(/assignedShare/);
    expect(new ProjectManagerReviewCriteria({ acceptanceShare: 1 }).criteria).toHaveLength(4);
  });
});

describe('the task that covers a requirement', () => {
  const far = `Export ${'lorem ipsum '.repeat(200)} charts ${'dolor sit '.repeat(200)}`;

  const task = (id: string, title: string) => ({ id, title });
  const is = (name: string, requirement: string, found: object, ...given: object[]) =>
    it(name, async () => {
      expect(await covered(requirement, ...given)).toMatchObject(found);
    });

  is(
    'is the one with most of its words',
    'Send the invoice by mail',
    { evidenceLocation: 't2', coverageDetails: 'Covered by: Send invoice' },
    ...[task('t1', 'Mail'), task('t2', 'Send invoice'), task('t3', 'Send')],
  );
  is(
    'is not one that only has the letters of the word',
    'art',
    { evidenceLocation: 't2' },
    ...[task('t1', 'Start the party'), task('t2', 'Modern art')],
  );
  is(
    'is the right one of two tasks with one id',
    'Export charts',
    { covered: true, coverageDetails: 'Covered by: Export charts' },
    ...[task('t1', 'Accounts'), task('t1', 'Export charts')],
  );
  is(
    'has an id where it has no title',
    'Export charts',
    { evidenceLocation: 't1', coverageDetails: 'Covered by: t1' },
    { id: 't1', description: 'Export charts' },
  );
  is(
    'may have the words far apart',
    'Export charts legend colours',
    { covered: true, evidenceLocation: 't1' },
    { id: 't1', title: 'x', description: far },
  );
  const none = { covered: false, confidence: 0 };
  for (const blank of ['', ' '])
    is(`exists for no requirement without words: "${blank}"`, blank, none, task('t1', 'Charts'));

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
