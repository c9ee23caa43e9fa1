import { describe, expect, it } from 'vitest';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import type { PlanOptions } from '@/blocks/criteria/plan/plan-rules.js';
import type { CriterionResult } from '@/core/criterion.js';
import { fittingSets } from '@/faces/cli-kit/criteria/auto-criteria.js';
import { ProjectManagerReviewCriteria } from '@/products/self-review/criteria/project-manager.js';
import { context, judgedBy, outputOf } from '../support.js';

const judge = (id: string, files: Readonly<Record<string, string>>, options?: PlanOptions) =>
  judgedBy(planCriteria(options), `plan-${id}`, [outputOf('data', files)]);

const places = ({ findings = [] }: CriterionResult): unknown[] =>
  findings.map(({ file, line, evidence }) => [file, line, evidence]);
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

describe('epics, features and tasks in a file', () => {
  const plan = (...tasks: unknown[]): string => pretty({ epics: [{ features: [{ tasks }] }] });

  it('names file, line and quote of every task', async () => {
    const text = plan(
      { id: 'a', title: 'Form' },
      { id: 'b', title: 'Mail "now"', acceptanceCriteria: ['x'] },
    );
    expect(places(await judge('acceptance-criteria', { 'plan.json': text }))).toEqual([
      ['plan.json', 9, '"title": "Form"'],
    ]);
    expect(places(await judge('assignment', { 'plan.json': text }))).toEqual([
      ['plan.json', 9, '"title": "Form"'],
      ['plan.json', 13, '"title": "Mail \\"now\\"",'],
    ]);
  });

  it('asks for a complexity on a scale', async () => {
    const text = plan(
      { id: 'a', complexity: 'low' },
      { id: 'b', complexity: 'banana' },
      { id: 'c' },
      { id: 'd', complexity: 8 },
    );
    expect(await judge('complexity', { 'plan.json': text })).toMatchObject({
      passed: false,
      score: 0.5,
      details: '3 of 4 tasks are small enough, 1 have no complexity',
    });
    const options = { scale: ['low', 'banana'], complexityShare: 0 };
    expect(await judge('complexity', { 'plan.json': text }, options)).toMatchObject({
      passed: true,
    });
    expect(() => planCriteria({ scale: ['a', 3] as never })).toThrow(/scale/);
  });

  it('a result that is the file read once more is judged once', async () => {
    const text = plan({ id: 'a', title: 'A' });
    const criterion = planCriteria()[0];
    const { artifacts } = outputOf('data', { 'plan.json': text });
    const output = { artifacts, result: JSON.parse(text) as unknown };
    const result = await criterion?.validate(output, undefined, context);
    expect(result?.findings).toHaveLength(1);
    expect(result?.findings?.[0]?.file).toBe('plan.json');
  });

  it('one line, CRLF and BOM keep their places', async () => {
    const one = JSON.stringify({
      epics: [{ features: [{ tasks: [{ id: 'a', title: 'Form', pad: 'x'.repeat(500) }] }] }],
    });
    expect(places(await judge('acceptance-criteria', { 'plan.json': one }))).toEqual([
      ['plan.json', 1, '"Form"'],
    ]);
    const text = `\ufeff${plan({ id: 'a', title: '登录 שלום' }).replaceAll('\n', '\r\n')}`;
    expect(places(await judge('acceptance-criteria', { 'plan.json': text }))).toEqual([
      ['plan.json', 9, '"title": "登录 שלום"'],
    ]);
  });
});

describe('tasks.json', () => {
  const tasks = [
    {
      id: 1,
      title: 'One',
      testStrategy: 'run it',
      dependencies: [],
      subtasks: [
        { id: 1, title: 'a' },
        { id: 2, title: 'b', dependencies: [1, '2.1', 9] },
      ],
    },
    {
      id: 2,
      title: 'Two',
      testStrategy: '',
      dependencies: [1, '1', '1.2', '1.7'],
      subtasks: [{ id: 1, title: 'c', dependencies: ['1'] }],
    },
  ];

  it('reads numbers as texts, subtasks by their own and by their full number', async () => {
    const result = await judge('dependencies', { 'tasks.json': pretty({ tasks }) });
    expect(result.details).toBe(
      'Invalid dependencies: 1.2 -> 9, 2 -> 1.7. Circular dependencies: 2.1 -> 2.1',
    );
    expect(places(result)).toEqual([
      ['tasks.json', 19, '9'],
      ['tasks.json', 32, '"1.7"'],
      ['tasks.json', 39, '"1"'],
    ]);
    expect(await judge('acceptance-criteria', { 'tasks.json': pretty({ tasks }) })).toMatchObject({
      passed: false,
      score: 0.5,
    });
  });

  it('keeps the groups of a tagged file apart', async () => {
    const tagged = pretty({
      master: { tasks: [{ id: 1, title: 'A', status: 'done' }] },
      next: {
        tasks: [
          { id: 1, title: 'B', dependencies: [1] },
          { id: 2, title: 'C', dependencies: [5] },
        ],
        metadata: {},
      },
    });
    const result = await judge('dependencies', { '.taskmaster/tasks/tasks.json': tagged });
    expect(result.details).toBe(
      'Invalid dependencies: 2 -> 5. Circular dependencies: next/1 -> next/1',
    );
  });

  it('asks each group of a tagged file only for what that group mentions [R2-042]', async () => {
    const tagged = pretty({
      alpha: { tasks: [{ id: 1, title: 'A', status: 'done', testStrategy: 'run' }] },
      beta: { tasks: [{ id: 1, title: 'B', status: 'done', testStrategy: 'run', complexity: 3 }] },
      later: { tasks: [] },
    });
    const result = await judge('complexity', { 'tasks.json': tagged });
    expect(result).toMatchObject({ passed: true, details: '1 of 1 tasks are small enough' });
    expect(await judge('acceptance-criteria', { 'tasks.json': tagged })).toMatchObject({
      passed: true,
      details: '2 of 2 tasks have acceptance criteria (90% needed)',
    });
  });

  it('a large group hides no small one that fails [R2-042]', async () => {
    const good = Array.from({ length: 40 }, (_, index) => ({
      id: index + 1,
      title: `A${index}`,
      testStrategy: 'run',
    }));
    const tagged = { alpha: { tasks: good }, beta: { tasks: [{ id: 1, title: 'B' }] } };
    expect(await judge('acceptance-criteria', { 'tasks.json': pretty(tagged) })).toMatchObject({
      passed: false,
      details: '40 of 41 tasks have acceptance criteria (90% needed); below it: beta (0 of 1)',
      findings: [{ file: 'tasks.json' }],
    });
  });

  it('asks for complexity and assignment only where the plan speaks of them', async () => {
    expect(await judge('complexity', { 'tasks.json': pretty({ tasks }) })).toMatchObject({
      skipped: 'tasks.json does not mention complexity',
    });
    const assigned = pretty({ tasks: [{ ...tasks[0], assignee: 'me' }, tasks[1]] });
    expect(await judge('assignment', { 'tasks.json': assigned })).toMatchObject({
      passed: false,
      score: 0.5,
    });
    const scored = pretty({ tasks: [{ id: 1, title: 'x', complexityScore: 300 }] });
    expect(await judge('complexity', { 'tasks.json': scored })).toMatchObject({ passed: false });
  });

  it('an id that is given twice is a remark', async () => {
    const twice = [
      { id: 1, title: 'A', status: 'x' },
      { id: '1', title: 'B', status: 'y' },
    ];
    const result = await judge('dependencies', { 'tasks.json': pretty({ tasks: twice }) });
    expect(result).toMatchObject({
      passed: true,
      findings: [{ severity: 'minor', description: 'duplicate id 1: 1 A has it too', line: 10 }],
    });
  });
});

describe('OpenSpec and Spec Kit lists', () => {
  const list =
    '# Tasks\n\n## 1. Setup\n- [ ] 1.1 Install\n- [x] 1.2 Configure (depends on 1.1, 1.9)\n  - [ ] 1.2.1 Detail\n\n```\n- [ ] 1.3 no task\n```\n';

  it('reads numbered checkboxes and what they depend on', async () => {
    const result = await judge('dependencies', { 'changes/x/tasks.md': list });
    expect(result.details).toBe('Invalid dependencies: 1.2 -> 1.9');
    expect(places(result)).toEqual([
      ['changes/x/tasks.md', 5, '- [x] 1.2 Configure (depends on 1.1, 1.9)'],
    ]);
    const circle =
      '- [ ] T001 [P] A\n- [ ] T002 B, depends on T003\n- [ ] T003 C, depends on T002\n';
    expect(await judge('dependencies', { 'tasks.md': circle })).toMatchObject({
      details: 'Circular dependencies: T002 -> T003 -> T002',
    });
  });

  it('reads each marker of a list, and nothing that is not shown [R3-058, R3-059]', async () => {
    const text =
      '- [ ] 1.1 A\n1. [ ] 1.2 B (depends on 9.9)\n2) [x] 1.3 C (depends on 1.2)\n*   [ ] 1.4 D <!-- depends on 8.8 -->\n\n<!--\n- [ ] 7.7 sample (depends on 97.1)\n-->\n\n~~~\n- [ ] 6.6 code (depends on 96.1)\n~~~\n';
    const result = await judge('dependencies', { 'tasks.md': text });
    expect(result.details).toBe('Invalid dependencies: 1.2 -> 9.9');
    expect(places(result)).toEqual([['tasks.md', 2, '1. [ ] 1.2 B (depends on 9.9)']]);
  });

  const noPlans = [
    ['.claude/commands/speckit.tasks.md', '1. Read the plan.\n2. Write the tasks.\n'],
    ['.claude/commands/tasks.md', '---\ndescription: Make tasks\n---\n\n1. Read the plan.\n'],
    ['my-tasks.md', '# Tasks of a week\n\nSee the plan.\n'],
    ['old.plan.json', '{ "version": 2 }'],
  ] as const;
  it.each(noPlans)('%s is no plan by a part of its name [R3-056]', async (path, content) => {
    expect(await judge('dependencies', { [path]: content })).toMatchObject({
      skipped: 'no plan was found among the files',
    });
  });

  it('are not asked for what they have no place for', async () => {
    for (const id of ['acceptance-criteria', 'complexity', 'assignment'])
      expect((await judge(id, { 'tasks.md': list })).skipped).toMatch(
        /^tasks\.md does not mention/,
      );
  });

  it('a note of checkboxes is a plan only if the user says so [R2-041]', async () => {
    const note = '# Shopping\n\n- [ ] milk\n- [x] tea\n';
    expect(await judge('dependencies', { 'todo.md': note })).toMatchObject({
      skipped: 'no plan was found among the files',
    });
    const noted = outputOf('document', { 'todo.md': note });
    expect((await fittingSets(noted)).map(({ name }) => name)).toEqual(['text', 'requirements']);
    const named = planCriteria().find(({ id }) => id === 'plan-dependencies');
    const planned = (files: Readonly<Record<string, string>>) =>
      named?.validate(outputOf('plan', files), undefined, context);
    expect(await planned({ 'todo.md': note })).toMatchObject({ passed: true });
    const empty = [{ 'todo.md': '# Soon\n' }, { 'todo.json': '{}' }, { 'todo.txt': 'x' }];
    for (const files of empty)
      expect(await planned(files)).toMatchObject({
        passed: false,
        details: 'The plan has no tasks',
      });
  });

  it('an empty list of tasks fails, a text with a checkbox is no plan', async () => {
    expect(await judge('dependencies', { 'tasks.md': '# Tasks\n' })).toMatchObject({
      passed: false,
      details: 'The plan has no tasks',
      findings: [{ file: 'tasks.md' }],
    });
    expect(
      await judge('dependencies', { 'README.md': '- [ ] later\n- [x] 1.0 release of 2020\n' }),
    ).toMatchObject({ skipped: 'no plan was found among the files' });
  });
});

describe('YAML plans', () => {
  it('reads lists, names, phases and one text in the place of a list', async () => {
    const text =
      'tasks:\n  - id: 1.10\n    title: A\n    depends_on: 1.1\n  - id: 1.1\n    title: B\n    acceptance: It runs\n';
    expect(await judge('dependencies', { 'plan.yaml': text })).toMatchObject({ passed: true });
    expect(places(await judge('acceptance-criteria', { 'plan.yaml': text }))).toEqual([
      ['plan.yaml', 3, 'title: A'],
    ]);
    const circle =
      'tasks:\n  build:\n    description: x\n    needs: [test]\n  test:\n    description: y\n    needs: [build]\n';
    expect(await judge('dependencies', { 'plan.yml': circle })).toMatchObject({
      details: 'Circular dependencies: build -> test -> build',
    });
    const phases =
      'phases:\n - tasks: [{id: a, title: A, dependencies: []}]\n - tasks: [{id: b, title: B, dependencies: [a, c]}]\n';
    expect(await judge('dependencies', { 'r.yaml': phases })).toMatchObject({
      details: 'Invalid dependencies: b -> c',
    });
  });

  it('what is no plan is not checked', async () => {
    const others = {
      'Taskfile.yml': 'tasks:\n  build:\n    cmds: [make]\n',
      '.vscode/tasks.json': '{"version": "2.0.0", "tasks": [{"label": "b", "command": "make"}]}',
      'play.yml': '- hosts: all\n  tasks:\n    - name: x\n      apt: y\n',
      'package.json': '{"name": "x"}',
      'README.md': '# tasks: none',
    };
    expect(await judge('dependencies', others)).toMatchObject({
      skipped: 'no plan was found among the files',
    });
  });

  it('a broken file is named, beside a plan too', async () => {
    const broken = { 'tasks.json': '{\n"tasks": [}' };
    expect(await judge('dependencies', broken)).toMatchObject({
      skipped: 'tasks.json was not checked: it is not valid JSON: value expected, line 2',
    });
    const beside = { ...broken, 'plan.yaml': 'tasks:\n- {id: a, title: A, status: x}\n' };
    expect(await judge('dependencies', beside)).toMatchObject({
      passed: true,
      details: expect.stringContaining('not checked: tasks.json'),
    });
    expect((await judge('dependencies', { 'plan.yaml': 'a: [\n' })).skipped).toMatch(
      /^plan\.yaml was not checked: it is not valid YAML/,
    );
  });

  it('aliases that multiply, and deep nesting, end', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(
      /./g,
      (letter) =>
        `${letter}: &${letter} [${Array(9)
          .fill(`*${String.fromCharCode(letter.charCodeAt(0) - 1)}`)
          .join()}]\n`,
    )}tasks: *i\n`;
    expect(await judge('dependencies', { 'plan.yaml': bomb })).toHaveProperty('skipped');
    const own = 'tasks: &t\n  - {id: a, title: A, subtasks: *t}\n';
    expect(await judge('dependencies', { 'plan.yaml': own })).toHaveProperty('passed');
    expect((await judge('dependencies', { 'plan.yaml': '['.repeat(100_000) })).skipped).toMatch(
      /deeper than 200/,
    );
    expect(
      (await judge('dependencies', { 'plan.json': `{"tasks": ${'['.repeat(100_000)}` })).skipped,
    ).toMatch(/deeper than 200/);
  });
});

it('a plan of 100,000 lines and a chain of 20,000 tasks are judged', async () => {
  const tasks = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    title: `Task ${id}`,
    testStrategy: 'run',
    dependencies: id === 0 ? [] : [id - 1],
  }));
  const text = pretty({ tasks });
  expect(text.split('\n').length).toBeGreaterThan(100_000);
  for (const id of ['dependencies', 'acceptance-criteria'])
    expect(await judge(id, { 'tasks.json': text })).toMatchObject({ passed: true, score: 1 });
});

it('ProjectManagerReviewCriteria is put together from the same rules, and reads files too [SR-139]', async () => {
  const invoice =
    'tasks:\n  - id: 7\n    title: Send the invoice\n    acceptance: ok\n    owner: me\n    dependsOn: [8]\n';
  const output = outputOf('data', { 'plan.yaml': invoice });
  const results = await Promise.all(
    new ProjectManagerReviewCriteria().criteria.map((criterion) =>
      criterion.validate(output, undefined as never, context),
    ),
  );
  expect(results.map(({ passed, skipped }) => skipped ?? passed)).toEqual([
    true,
    false,
    'plan.yaml does not mention complexity',
    true,
  ]);
  expect(results[1]?.findings).toMatchObject([
    { file: 'plan.yaml', line: 6, evidence: 'dependsOn: [8]' },
  ]);
  const covering = new ProjectManagerReviewCriteria();
  expect(await covering.checkRequirementCovered('send the invoice', output, context)).toMatchObject(
    { covered: true, evidenceLocation: '7' },
  );
});
