import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReviewError } from '@/core/errors.js';
import { parseTasks, sortTasks } from '@/products/task-review/parse-tasks.js';
import { errorWith, withCode } from '../../../support/matchers.js';

const cycle = /T-1 -> T-2 -> T-1/;

describe('parseTasks', () => {
  it('reads ids, names, checklists with their state, dependencies and what else is asked [R3-088]', async () => {
    const tasks = await parseTasks(
      '# Plan\n\n## Phase 1\n\n### TASK-001: Add tea\nIn a **pot**, by `make tea`.\n\n- [x] water from `tap`\n- [ ] leaves\n  - [ ] green\n- a note\n\n#### Details\nhot\n\n### TASK-002 — Add milk\n**Depends on:** TASK-001\n\n## Phase 2\nnot a task\n',
    );
    expect(tasks).toEqual([
      {
        id: 'TASK-001',
        name: 'Add tea',
        line: 5,
        checklist: [
          { text: 'water from `tap`', done: true },
          { text: 'leaves', done: false },
          { text: 'green', done: false },
        ],
        dependsOn: [],
        description: 'In a pot, by `make tea`.\n\na note\n\nDetails\n\nhot',
      },
      {
        id: 'TASK-002',
        name: 'Add milk',
        line: expect.any(Number),
        checklist: [],
        dependsOn: ['TASK-001'],
      },
    ]);
  });

  const lists: [string, string, string, RegExp][] = [
    ['an unknown dependency', '# L\n\n## T-1: a\nDepends on: T-9\n', 'task_unknown', /line 3/],
    ['a cycle', '## T-1: a\nDepends on: T-2\n## T-2: b\nDepends on: T-1\n', 'task_cycle', cycle],
    ['a task that waits for itself', '## T-1: a\nDepends on: T-1\n', 'task_cycle', /T-1 -> T-1/],
    ['a double task', '## T-1: a\n\n## T-1: b\n', 'tasks_invalid', /line 3: .*T-1/],
    ['no text', '', 'tasks_invalid', /./],
    ['no task', '# nothing\n- [ ] x\n', 'tasks_invalid', /./],
  ];
  it.each(lists)('refuses %s', async (_, text, code, message) => {
    await expect(parseTasks(text)).rejects.toMatchObject(errorWith(code, message));
  });

  it('orders tasks after what they depend on, and otherwise as in the list', () => {
    const task = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });
    expect(sortTasks([task('c', 'a'), task('b'), task('a')]).map(({ id }) => id)).toEqual([
      'b',
      'a',
      'c',
    ]);
    expect(sortTasks([task('a', 'elsewhere')])).toHaveLength(1);
    expect(() => sortTasks([task('a', 'b'), task('b', 'a')])).toThrow(withCode('task_cycle'));
  });

  it('takes any text, or refuses it with an error of its own', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '## T-1: a\n',
        '### T-2\n',
        'Depends on: T-1\n',
        '- [ ] x\n',
        '- [x]\n',
        '\u0000',
        '# ',
      ),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const read = await parseTasks(pieces.join('')).catch((error: unknown) => error);
        expect(Array.isArray(read) || isReviewError(read)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

const only = async (text: string) => (await parseTasks(text))[0];

describe('the heading of a task', () => {
  it.each([
    ['TASK-001: Add tea', 'TASK-001', 'Add tea'],
    ['[TASK-001] Add tea', 'TASK-001', 'Add tea'],
    ['(T-1) Add tea', 'T-1', 'Add tea'],
    ['T_x2-1a.b — Add tea', 'T_x2-1a.b', 'Add tea'],
    ['**T-1** – Add **tea**', 'T-1', 'Add tea'],
    ['T-1 - Add: tea', 'T-1', 'Add: tea'],
    ['T-1', 'T-1', ''],
  ])('%s', async (title, id, name) => {
    expect(await only(`## ${title}\n`)).toMatchObject({ id, name });
  });

  it.each(['Add TASK-001', 'TASK: Add tea', '2-1: Add tea', 'T-1/2: Add tea', 'T-x: Add tea'])(
    'is none: %s',
    async (title) => {
      await expect(parseTasks(`## ${title}\n`)).rejects.toMatchObject({ code: 'tasks_invalid' });
    },
  );
});

describe('what stands below a task', () => {
  it('belongs to it until a heading of its level, or a higher one', async () => {
    const [first, second] = await parseTasks(
      [
        ...['## T-1: a', 'one', '### Details', 'two', '## Notes', 'of nobody', '- [ ] nobody'],
        ...['### T-2: b', 'three', '# End', '- [ ] nobody'],
      ].join('\n\n'),
    );
    expect(first).toMatchObject({ description: 'one\n\nDetails\n\ntwo', checklist: [], line: 1 });
    expect(second).toMatchObject({ description: 'three', checklist: [] });
  });

  it('depends on what one of four words names, in lines and in lists', async () => {
    for (const words of ['Depends on', 'dependencies', 'DEPENDS', '**Blocked by**'])
      for (const start of ['', '- '])
        expect(
          (
            await parseTasks(`## T-1: a\n## T-2: b\n## T-3: c\n\n${start}${words}: T-1, [T-2]\n`)
          )[2],
          start + words,
        ).toMatchObject({ dependsOn: ['T-1', 'T-2'] });
    expect(await only('## T-1: a\n\nDepends on: nothing\n')).toStrictEqual({
      ...{ id: 'T-1', name: 'a', line: 1, checklist: [], dependsOn: [] },
    });
    expect(await only('## T-1: a\n\nIt depends on: T-1\n')).toMatchObject({
      ...{ dependsOn: [], description: 'It depends on: T-1' },
    });
  });

  it('may be code, quotes and lists in lists', async () => {
    const task = await only(
      [
        ...['## T-1: a', '', '```sh', 'npm test', '', 'npm run lint', '```', ''],
        ...['- plain', '  - [x] nested **done**', '- [ ] open', '', '  in two parts', ''],
      ].join('\n'),
    );
    expect(task).toMatchObject({
      description: 'npm test\n\nnpm run lint\n\nplain',
      checklist: [
        { text: 'nested done', done: true },
        { text: 'open in two parts', done: false },
      ],
    });
  });
});
