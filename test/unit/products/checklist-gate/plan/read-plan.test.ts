import { describe, expect, it } from 'vitest';
import { deliveredFiles, planIn } from '@/products/checklist-gate/modules/plan-view.js';
import { changesOf, pathsOfDiff, removedBy } from '@/products/checklist-gate/plan/diff-changes.js';
import { findPlan, readPlan } from '@/products/checklist-gate/plan/read-plan.js';
import { selectItems } from '@/products/checklist-gate/plan/select-items.js';

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
        artifacts: [file('plan.json', json), file('a.ts', 'code'), file('b.ts', 'code')],
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
  const reads = (name: string, text: string, expected: object) =>
    it(`reads ${name}`, () => {
      expect(readPlan(text).milestones[0]).toMatchObject(expected);
    });

  reads('a label with what follows it', '## M1: A\nFiles: `a.ts`, b.ts (new)\n', {
    files: ['a.ts', 'b.ts'],
  });
  reads('a label in bold without a colon', '## M1: A\n**Docs**\n- d.md\n', { docs: ['d.md'] });
  reads('a label as a heading', '## M1: A\n### Success conditions\n1. one\n2) two\n', {
    acceptanceCriteria: ['one', 'two'],
  });
  reads('boxes of a list', '## M1: A\nChanges:\n- [x] done\n- [ ] open\n', {
    codeIntents: ['done', 'open'],
  });
  reads('a milestone under a line', 'Milestone 2 - B\n---------------\nChanges:\n- x\n', {
    id: 'M2',
    title: 'B',
    codeIntents: ['x'],
  });
  reads('a milestone under a double line', 'M3: C\n=====\n', { id: 'M3', title: 'C' });
  reads('closing marks', '## M1: A ##\n', { title: 'A' });
  reads(
    'an indented fence',
    '## M1: A\n- step\n\n  ```diff\n  --- a/x\n  +++ b/x\n no indent\n  ```\n',
    { diffs: [{ text: '--- a/x\n+++ b/x\n no indent\n', line: 5 }] },
  );
  reads(
    'a fence with a shorter one in it',
    '## M1: A\n````diff\n--- a/x.md\n+++ b/x.md\n ```\n+```\n````\n',
    { diffs: [{ text: '--- a/x.md\n+++ b/x.md\n ```\n+```\n', line: 3 }] },
  );
  reads('a fence that never ends', '## M1: A\n```patch\n--- a/x\n', {
    diffs: [{ text: '--- a/x\n', line: 3 }],
  });
  reads('a fence of something else', '## M1: A\n```ts\n--- a/x\n```\n', { diffs: [] });
  reads('text that follows no item', '## M1: A\nChanges:\njust text\n', { codeIntents: [] });

  it('reads numbered tasks as milestones, unless milestones are named', () => {
    const tasks =
      '# Tasks\n\n## 1. Core\n- [x] 1.1 Add `a.ts`,\n  whole\n- [ ] 1.2 Test it\n### 1.1 Notes\ntext\n## 2) Docs\n- [ ] 2.1 Write\n\n## 3. Notes\n- no box\n';
    const { title, milestones } = readPlan(tasks);
    expect(title).toBe('Tasks');
    const core = ['1.1 Add `a.ts`, whole', '1.2 Test it'];
    expect(milestones).toMatchObject([
      { id: 'M1', title: 'Core', codeIntents: core, line: 3, endLine: 8 },
      { id: 'M2', title: 'Docs', codeIntents: ['2.1 Write'], line: 9, endLine: 10 },
    ]);
    const named = readPlan(`${tasks}## M7: Named\n- [ ] x\n## 4. After\n- [ ] y\n`);
    expect(named.milestones.map(({ id }) => id)).toEqual(['M7']);
  });
});

describe('changesOf', () => {
  const reads = (name: string, diff: string, ...expected: object[]) =>
    it(`reads ${name}`, () => {
      const none = { isRenamed: false, isRemoved: false, added: [], removed: [] };
      expect(changesOf(diff)).toEqual(expected.map((change) => ({ ...none, ...change })));
    });

  reads('nothing', 'just text\n--- no diff\n');
  reads(
    'lines',
    '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n\\ No newline at end of file\n',
    { path: 'x', added: ['new'], removed: ['old'] },
  );
  reads('a new file', '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n', {
    path: 'x',
    added: ['one'],
  });
  reads('a removed file', '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n', {
    path: 'x',
    isRemoved: true,
    removed: ['one'],
  });
  reads(
    'removed lines that look like a header',
    '--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ another\n same\n',
    { path: 'x.sql', added: ['++ another'], removed: ['-- a comment'] },
  );
  reads(
    'two files',
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n',
    { path: 'x', added: ['b'], removed: ['a'] },
    { path: 'y', added: ['d'], removed: ['c'] },
  );
  reads(
    'headers of git once',
    'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n+n\n',
    { path: 'x', added: ['n'] },
  );
  reads('a new file that is empty', 'diff --git a/x b/x\nnew file mode 100644\nindex 000..e69\n', {
    path: 'x',
  });
  reads('a removed file that is empty', 'diff --git a/x y b/x y\ndeleted file mode 100644\n', {
    path: 'x y',
    isRemoved: true,
  });
  reads(
    'a file that was renamed as it is',
    'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n',
    { path: 'y', oldPath: 'x', isRenamed: true },
  );
  reads(
    'one that was renamed and changed',
    'diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n+n\n',
    { path: 'y', oldPath: 'x', isRenamed: true, added: ['n'] },
  );
  reads('two names of one file', '--- a/x.orig\n+++ b/x\n@@ -1 +1 @@\n+n\n', {
    path: 'x',
    oldPath: 'x.orig',
    added: ['n'],
  });
  reads('a time behind a name', '--- x\t2026-01-01\n+++ x\t2026-01-02\n@@ -1 +1 @@\n+n\n', {
    path: 'x',
    added: ['n'],
  });
  reads('line ends of Windows', '--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n+n\r\n', {
    path: 'x',
    added: ['n\r'],
  });
  reads(
    'quoted names',
    'diff --git "a/\\303\\244 \\"q\\"\\t.md" "b/\\303\\244 \\"q\\"\\t.md"\ndeleted file mode 100644\n',
    { path: 'ä "q"\t.md', isRemoved: true },
  );

  it('lists every path once, and the paths that are gone in the end', () => {
    const moved = 'diff --git a/x b/y\nrename from x\nrename to y\n';
    const made = '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n';
    expect(pathsOfDiff(`${moved}${made}`)).toEqual(['x', 'y']);
    expect([...removedBy([moved])]).toEqual(['x']);
    expect([...removedBy([moved, made])]).toEqual([]);
  });
});
