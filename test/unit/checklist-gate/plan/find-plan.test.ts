import { describe, expect, it } from 'vitest';
import { deliveredFiles, planIn } from '../../../../src/checklist-gate/modules/plan-view.js';
import { findPlan } from '../../../../src/checklist-gate/plan/find-plan.js';
import { readPlan } from '../../../../src/checklist-gate/plan/read-plan.js';
import { selectItems } from '../../../../src/checklist-gate/plan/select-items.js';

const file = (path: string, content: string | undefined, type = 'document') => ({
  type,
  path,
  ...(content !== undefined && { content }),
});
const markdown = '# P\n## M1: A\nCode intent:\n- x\n';
const json = JSON.stringify({ title: 'J', milestones: [{ id: 'M1', files: ['a.ts'] }] });

describe('findPlan', () => {
  it('prefers a file named plan to other texts with milestones', () => {
    const other = file('notes.md', '# N\n## M9: Other\n');
    const found = (...artifacts: ReturnType<typeof file>[]) => {
      const { path, plan } = findPlan({ artifacts }) ?? {};
      return [path, plan?.milestones.map(({ id }) => id)];
    };
    expect(found(other, file('docs/plan.md', markdown))).toEqual(['docs/plan.md', ['M1']]);
    expect(found(other, file('my-plan.json', json))).toEqual(['my-plan.json', ['M1']]);
    expect(found(other, file('x', markdown, 'plan'))).toEqual(['x', ['M1']]);
    expect(found(file('a.ts', '## M1: no text'), other)).toEqual(['notes.md', ['M9']]);
    expect(found(file('gone/plan.md', undefined), file('readme.md', '# R\n'))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('skips JSON that is not a plan', () => {
    for (const bad of ['{', '[]', '{"milestones":[{}]}', 'null'])
      expect(findPlan({ artifacts: [file('plan.json', bad), file('b.md', markdown)] })?.path).toBe(
        'b.md',
      );
  });

  it('reads a plan as JSON only where its name ends so, and fills in what it leaves out', () => {
    expect(findPlan({ artifacts: [file('plan.json.bak', markdown, 'plan')] })).toMatchObject({
      plan: { title: 'P', milestones: [{ id: 'M1' }] },
    });
    const diffs = [{ text: '--- a', line: 3 }, { text: '--- b' }];
    const bare = { milestones: [{ id: 'M1', diffs }, { id: 'M2' }] };
    expect(findPlan({ artifacts: [file('PLAN.JSON', JSON.stringify(bare))] })?.plan).toEqual({
      title: '',
      milestones: [diffs, []].map((own, index) => ({
        ...{ id: `M${index + 1}`, title: '', acceptanceCriteria: [], codeIntents: [] },
        ...{ files: [], docs: [], diffs: own },
      })),
    });
    expect(findPlan({ artifacts: [file('plan.json', '{}')] })?.plan).toEqual({
      ...{ title: '', milestones: [] },
    });
    expect(readPlan('## M1\n').milestones).toMatchObject([{ id: 'M1', title: '' }]);
  });

  it('has no plan in a view of something else, and delivers nothing without one', () => {
    for (const view of [null, undefined, 'plan', 5, {}, { plan: null }, { missing: 'no plan' }])
      expect(planIn(view), JSON.stringify(view)).toBeUndefined();
    expect(planIn({ plan: { title: 'P' } })).toEqual({ title: 'P', milestones: [] });
    expect(deliveredFiles(undefined)).toEqual([]);
  });

  it('selects a milestone without lines as data', () => {
    const { artifacts } = selectItems(
      {
        artifacts: [
          file('plan.json', json),
          file('a.ts', 'code', 'code'),
          file('b.ts', 'code', 'code'),
        ],
      },
      'milestone:M1',
    );
    expect(artifacts.map(({ path }) => path)).toEqual(['plan.json', 'a.ts']);
    expect(JSON.parse(artifacts[0]?.content ?? '')).toMatchObject({ id: 'M1', files: ['a.ts'] });
    expect(selectItems({ artifacts: [file('x.md', 'no plan')] }, 'milestone:M1').missing).toBe(
      'milestone M1 is missing: no plan was found',
    );
  });
});

describe('readPlan', () => {
  it.each([
    [
      'a label with what follows it',
      '## M1: A\nFiles: `a.ts`, b.ts (new)\n',
      { files: ['a.ts', 'b.ts'] },
    ],
    ['a label in bold without a colon', '## M1: A\n**Docs**\n- d.md\n', { docs: ['d.md'] }],
    [
      'a label as a heading',
      '## M1: A\n### Success conditions\n1. one\n2) two\n',
      { acceptanceCriteria: ['one', 'two'] },
    ],
    [
      'boxes of a list',
      '## M1: A\nChanges:\n- [x] done\n- [ ] open\n',
      { codeIntents: ['done', 'open'] },
    ],
    [
      'a milestone under a line',
      'Milestone 2 - B\n---------------\nChanges:\n- x\n',
      { id: 'M2', title: 'B', codeIntents: ['x'] },
    ],
    ['a milestone under a double line', 'M3: C\n=====\n', { id: 'M3', title: 'C' }],
    ['closing marks', '## M1: A ##\n', { title: 'A' }],
    [
      'an indented fence',
      '## M1: A\n- step\n\n  ```diff\n  --- a/x\n  +++ b/x\n no indent\n  ```\n',
      { diffs: [{ text: '--- a/x\n+++ b/x\n no indent\n', line: 5 }] },
    ],
    [
      'a fence with a shorter one in it',
      '## M1: A\n````diff\n--- a/x.md\n+++ b/x.md\n ```\n+```\n````\n',
      { diffs: [{ text: '--- a/x.md\n+++ b/x.md\n ```\n+```\n', line: 3 }] },
    ],
    [
      'a fence that never ends',
      '## M1: A\n```patch\n--- a/x\n',
      { diffs: [{ text: '--- a/x\n', line: 3 }] },
    ],
    ['a fence of something else', '## M1: A\n```ts\n--- a/x\n```\n', { diffs: [] }],
    ['text that follows no item', '## M1: A\nChanges:\njust text\n', { codeIntents: [] }],
  ])('reads %s', (_name, text, expected) => {
    expect(readPlan(text).milestones[0]).toMatchObject(expected);
  });

  it('reads numbered tasks as milestones, unless milestones are named', () => {
    const tasks =
      '# Tasks\n\n## 1. Core\n- [x] 1.1 Add `a.ts`,\n  whole\n- [ ] 1.2 Test it\n### 1.1 Notes\ntext\n## 2) Docs\n- [ ] 2.1 Write\n\n## 3. Notes\n- no box\n';
    const { title, milestones } = readPlan(tasks);
    expect(title).toBe('Tasks');
    expect(
      milestones.map(({ id, title: name, codeIntents, line, endLine }) => [
        id,
        name,
        codeIntents,
        line,
        endLine,
      ]),
    ).toEqual([
      ['M1', 'Core', ['1.1 Add `a.ts`, whole', '1.2 Test it'], 3, 8],
      ['M2', 'Docs', ['2.1 Write'], 9, 10],
    ]);
    expect(
      readPlan(`${tasks}## M7: Named\n- [ ] x\n## 4. After\n- [ ] y\n`).milestones.map(
        ({ id }) => id,
      ),
    ).toEqual(['M7']);
  });
});
