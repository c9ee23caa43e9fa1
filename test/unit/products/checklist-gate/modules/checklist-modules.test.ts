import { describe, expect, it } from 'vitest';
import { gitApplyCheck } from '@/node/git/apply-check.js';
import { type ChecklistPhase, ChecklistPhaseSchema } from '@/ports/checklist/checklist-state.js';
import { memoryChecklists } from '@/ports/checklist/checklist-store.js';
import type { ChecklistDraft } from '@/products/checklist-gate/checklist.js';
import { ChecklistGate } from '@/products/checklist-gate/checklist-gate.js';
import { checklistModules } from '@/products/checklist-gate/modules/checklist-modules.js';
import { readPlan } from '@/products/checklist-gate/plan/read-plan.js';
import { selectItems } from '@/products/checklist-gate/plan/select-items.js';
import type { AgentOutput } from '@/products/self-review/agent.js';

const diff = '```diff\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,3 @@\n one\n+added\n two\n```\n';
const good = `# A plan\n\n## M1: Parser\n**Acceptance criteria:**\n- reads every fixture,\n  also empty ones\n\n### Code intent\n- change \`src/a.ts\`\n\nFiles: src/a.ts, docs/a.md\n\nDocs:\n- docs/a.md says how\n\n${diff}\n## Notes\n- no part of it\n`;
const base = 'one\ntwo\n';
const workOf = (
  plan: string,
  files: Record<string, string> = { 'src/a.ts': base },
): AgentOutput => ({
  artifacts: [
    { type: 'document', path: 'plan.md', content: plan },
    ...Object.entries(files).map(([path, content]) => ({ type: 'code', path, content })),
  ],
});

function never(): never {
  throw new Error('the state exists');
}

/** What code says of a work; items for models pass. */
async function failures(
  phase: ChecklistPhase,
  work: AgentOutput,
  checkedBy = work,
): Promise<string[]> {
  const gate = new ChecklistGate({
    phase,
    store: memoryChecklists(),
    decompose: checklistModules(phase, { applyCheck: gitApplyCheck() }),
    verify: () => true,
  });
  await gate.decompose(work);
  const { failed, unverified } = await gate.verify(checkedBy);
  expect(unverified).toEqual([]);
  return failed.map(({ finding }) => finding ?? '');
}

/** What code says of a work with this plan and these files. */
const failing = (phase: ChecklistPhase, ...made: Parameters<typeof workOf>) =>
  failures(phase, workOf(...made));

describe('readPlan', () => {
  it('reads milestones with their criteria, intents, files, documents and diffs', () => {
    expect(readPlan(good)).toEqual({
      title: 'A plan',
      milestones: [
        {
          ...{ id: 'M1', title: 'Parser', line: 3, endLine: 23 },
          acceptanceCriteria: ['reads every fixture, also empty ones'],
          codeIntents: ['change `src/a.ts`'],
          ...{ files: ['src/a.ts', 'docs/a.md'], docs: ['docs/a.md says how'] },
          diffs: [{ text: diff.slice(diff.indexOf('---'), -4), line: 17 }],
        },
      ],
    });
  });

  it('finds no milestones in a text that is not a plan', () => {
    for (const text of ['', '# x', 'M1: no heading', '```\n## M1: in code\n```', '## Monday 1'])
      expect(readPlan(text).milestones).toEqual([]);
    expect(readPlan('Milestone 2 - Second\n---\n').milestones[0]).toMatchObject({
      id: 'M2',
      title: 'Second',
    });
  });

  it('selects milestones with their files, files and lines', () => {
    const work = workOf(good);
    expect(selectItems(work, 'milestone:m1').artifacts.map(({ path }) => path)).toEqual([
      'plan.md',
      'src/a.ts',
    ]);
    expect(selectItems(work, 'file:src/a.ts:2-2').artifacts[0]?.content).toBe('two');
    expect(selectItems(work, '*').artifacts.length).toBe(2);
    for (const scope of ['milestone:M9', 'file:x', 'file:src/a.ts:9-12'])
      expect(selectItems(work, scope)).toMatchObject({
        artifacts: [],
        missing: expect.any(String),
      });
  });
});

describe('the six modules', () => {
  it.each(
    ChecklistPhaseSchema.options.flatMap((phase) =>
      checklistModules(phase).map((module) => [module.name, module] as const),
    ),
  )(
    '%s holds its gate by severity: fewer items block in each stage [QR-01, R2-128]',
    async (_, module) => {
      const work = workOf(good, { 'src/a.ts': base, 'docs/a.md': 'Text.\n' });
      const store = memoryChecklists();
      const { phase } = module;
      const gate = new ChecklistGate({ phase, store, decompose: [module], verify: () => 'bad' });
      const { items } = await gate.decompose(work);
      for (const { id } of items) await gate.update(id, { status: 'FAIL', finding: 'bad' }, work);
      const blocking = async (iteration: number): Promise<string[]> => {
        await store.update(phase, (state) => ({ ...(state ?? never()), iteration }));
        const { failed, status } = await gate.status();
        expect(status).toBe(failed.length > 0 ? 'FAIL' : 'PASS');
        return failed.map(({ id }) => id);
      };
      const of = (...severities: string[]): string[] =>
        items.filter(({ severity }) => severities.includes(severity)).map(({ id }) => id);
      expect(await blocking(1)).toEqual(of('MUST', 'SHOULD', 'MAY'));
      expect(await blocking(3)).toEqual(of('MUST', 'SHOULD'));
      expect(await blocking(5)).toEqual(of('MUST'));
      expect(of('MUST').length).toBeGreaterThan(0);
    },
  );

  it('each belongs to a phase, covers one aspect, and has items for code and for models [D001-15, QR-01]', async () => {
    const modules = ChecklistPhaseSchema.options.flatMap((phase) => checklistModules(phase));
    expect(modules.map(({ name, phase }) => [name, phase])).toEqual([
      ['plan_completeness', 'plan-structure'],
      ['plan_code', 'plan-code'],
      ['plan_docs', 'plan-docs'],
      ['post_impl_code', 'impl-code'],
      ['reconciliation', 'impl-code'],
      ['post_impl_doc', 'impl-docs'],
    ]);
    expect(new Set(modules.map(({ aspect }) => aspect)).size).toBe(6);
    for (const module of modules) {
      const drafts: readonly ChecklistDraft[] = await module.decompose(
        workOf(good, { 'src/a.ts': base, 'docs/a.md': 'Text.\n' }),
      );
      expect(drafts.some(({ rule }) => rule === undefined)).toBe(true);
      expect(
        drafts.filter(
          ({ rule }) => rule !== undefined && !module.rules.some(({ id }) => id === rule),
        ),
      ).toEqual([]);
      expect(drafts.some(({ rule }) => rule !== undefined)).toBe(true);
    }
    expect(
      () =>
        new ChecklistGate({
          phase: 'plan-docs',
          store: memoryChecklists(),
          decompose: checklistModules('plan-code'),
        }),
    ).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });

  const milestone = 'reads every fixture';
  const structures: [string, string, unknown][] = [
    ['nothing in a good plan', good, []],
    ['a plan without milestones', '# Only a title', ['the plan has no milestones']],
    [
      'a milestone without criteria',
      good.replace(`- ${milestone},\n  also empty ones\n`, ''),
      ['Acceptance criteria missing for M1'],
    ],
    [
      'a placeholder',
      good.replace(milestone, 'TBD'),
      [expect.stringContaining('is a placeholder')],
    ],
    ['no placeholder in a list', good.replace(milestone, 'sort the todo list'), []],
    ['none in what is counted', good.replace(milestone, 'the TODO comments are counted'), []],
    ['none in a quote', good.replace(milestone, 'quotes "lorem ipsum"'), []],
    [
      'two milestones of one id',
      good.replace('## Notes', '## M1: Again\nCode intent:\n- x\n'),
      expect.arrayContaining([expect.stringContaining('milestones share an id: M1')]),
    ],
  ];
  it.each(structures)('plan_completeness finds %s [QR-02, R3-055]', async (_, plan, found) => {
    expect(await failing('plan-structure', plan)).toEqual(found);
  });

  it('plan_code finds diffs that do not apply, conflicts, and milestones without code [QR-03]', async () => {
    expect(await failing('plan-code', good)).toEqual([]);
    expect((await failing('plan-code', good.replace(' two\n', ' other\n')))[0]).toMatch(
      /^the diff does not apply: error: patch failed: src\/a.ts:1/,
    );
    expect(
      await failing(
        'plan-code',
        good
          .replace('+added', '+<<<<<<< ours\n+a\n+=======\n+b\n+>>>>>>> theirs')
          .replace('+1,3', '+1,7'),
      ),
    ).toEqual(['diff 1 has merge conflict markers']);
    const second = `${good}\n## M2: More\nCode intent:\n- goes on\n\n${diff.replace('-1,2 +1,3', '-1,3 +1,4').replace(' one\n+added\n', ' one\n added\n+more\n')}`;
    expect(await failing('plan-code', second)).toEqual([]);
    expect(
      (await failing('plan-code', good.replaceAll('src/a.ts', '../../escape.ts'), {}))[0],
    ).toContain('the diff does not apply');
  });

  it.each([
    ['+<<<<<<< HEAD', true],
    ['+>>>>>>>', true],
    ['+>>>>>>> feature/tea\r', true],
    ['+||||||| merged common ancestors', true],
    ['++<<<<<<< HEAD', true],
    ['-<<<<<<< HEAD', false],
    ['-<<<<<<< HEAD\n-a\n-=======\n-b\n->>>>>>> theirs', false],
    [' <<<<<<< HEAD', false],
    ['+=======', false],
    ['+<<<<<<<<', false],
    ['+a <<<<<<< HEAD', false],
  ])('a diff adds a mark of a merge only on an added line: %j [R3-008]', async (line, fails) => {
    const found = await failing('plan-code', good.replace('+added', `+added\n${line}`));
    expect(found.includes('diff 1 has merge conflict markers')).toBe(fails);
  });

  it('plan_docs finds milestones without a word about documentation [QR-04]', async () => {
    expect(await failing('plan-docs', good)).toEqual([]);
    expect(await failing('plan-docs', good.replace('Docs:\n- docs/a.md says how\n', ''))).toEqual([
      'milestone M1 names no documents',
    ]);
    const named = (docs: readonly string[]): AgentOutput => ({
      artifacts: [
        {
          ...{ type: 'document', path: 'plan.json' },
          content: JSON.stringify({ title: 'P', milestones: [{ id: 'M1', docs }] }),
        },
      ],
    });
    expect(await failures('plan-docs', named([' ', '']))).toEqual([
      'milestone M1 names no documents',
    ]);
    expect(await failures('plan-docs', named([' ', 'docs/a.md']))).toEqual([]);
  });

  it('post_impl_code and reconciliation find broken files and undelivered changes [QR-05, QR-07]', async () => {
    const done = { 'src/a.ts': 'one\nadded\ntwo\n', 'docs/a.md': 'How.\n' };
    expect(await failing('impl-code', good, done)).toEqual([]);
    const undone = await failing('impl-code', good, { ...done, 'src/a.ts': base });
    expect(undone).toEqual([
      '1 of 1 milestones are not delivered: M1',
      'milestone M1 is not delivered: src/a.ts lacks 1 of 1 lines of the diff, the first: added',
    ]);
    expect(await failing('impl-code', good, { 'docs/a.md': 'How.\n' })).toContain(
      'src/a.ts does not exist, or the given paths leave it out',
    );
    const conflict = await failing('impl-code', good, {
      ...done,
      'src/a.ts': 'one\nadded\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\ntwo\n',
    });
    expect(conflict.join()).toContain('unresolved merge conflict');
  });

  it('post_impl_doc finds documents that are missing, empty or unfinished [QR-06]', async () => {
    expect(await failing('impl-docs', good, { 'docs/a.md': '# How\n\nLike this.\n' })).toEqual([]);
    expect(await failing('impl-docs', good, {})).toEqual([
      'docs/a.md does not exist, or the given paths leave it out',
      'file docs/a.md is missing',
    ]);
    expect(await failing('impl-docs', good, { 'docs/a.md': '\n' })).toEqual([
      'the work has no content',
      'the work has no content',
    ]);
    expect(
      (await failing('impl-docs', good, { 'docs/a.md': '# How\n\nTODO: write this\n' })).length,
    ).toBe(1);
  });

  it('removed files must be gone, and a later milestone can revoke an earlier promise [QR-07]', async () => {
    const removing = '```diff\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n```\n';
    const plan = `# P\n## M1: One\n${diff}\n## M2: Two\n${diff.replace('-1,2 +1,3', '-1,3 +1,3').replace('+added\n', '-added\n+better\n')}\n${removing}`;
    const done = { 'src/a.ts': 'one\nbetter\ntwo\n' };
    expect(await failing('impl-code', plan, { ...done, 'old.ts': 'gone\n' })).toEqual([
      '1 of 2 milestones are not delivered: M2',
      'milestone M2 is not delivered: old.ts still exists, although the plan removes it',
    ]);
    const later = `# P\n## M1: One\n${diff}\n## M2: Two\n${removing.replaceAll('old.ts', 'src/a.ts').replace('-1 +0', '-1,3 +0').replace('-gone', '-one\n-added\n-two')}`;
    expect(
      (await failing('impl-code', later, {})).filter((finding) => finding.includes('deliver')),
    ).toEqual([]);
    expect(await failing('impl-code', plan, done)).toEqual([]);
    const renaming =
      '```diff\ndiff --git a/src/a.ts b/src/b.ts\nsimilarity index 100%\nrename from src/a.ts\nrename to src/b.ts\n```\n';
    const moved = `# P\n## M1: One\n${diff}\n## M2: Two\n${renaming}`;
    expect(await failing('impl-code', moved, { 'src/b.ts': 'one\nadded\ntwo\n' })).toEqual([]);
    expect(
      (await failing('impl-code', moved, { 'src/a.ts': 'one\nadded\ntwo\n' })).join(),
    ).toContain('src/b.ts does not exist; src/a.ts still exists, although the plan removes it');
  });

  it('every item that needs the plan fails after the plan disappears', async () => {
    const [notes] = workOf('# Notes\n', {}).artifacts;
    const bare = { artifacts: notes === undefined ? [] : [notes] };
    expect(await failures('impl-code', workOf(good), bare)).toEqual(
      expect.arrayContaining([
        'no plan with milestones was found',
        'milestone M1 is missing from the plan',
        'src/a.ts does not exist, or the given paths leave it out',
        'milestone M1 is missing from plan.md',
      ]),
    );
    expect(await failures('plan-structure', workOf(good), { artifacts: [] })).toContain(
      'no plan was found',
    );
    expect(await failures('plan-code', workOf(good), bare)).toContain(
      'milestone M1 is missing from the plan',
    );
    expect(await failing('impl-code', '# Notes\n', {})).toEqual([
      'no plan with milestones was found',
    ]);
  });

  it('milestones without a title, content or code are named [QR-02, QR-03]', async () => {
    const empty = '## M1:\nAcceptance criteria:\n- works in each browser\n';
    expect(await failing('plan-structure', empty)).toEqual([
      'the plan has no title; milestones without a title, or without anything to change: M1',
    ]);
    expect(await failing('plan-code', `# P\n${empty}`)).toEqual([
      'milestone M1 has no code intents, diffs or documents',
    ]);
  });

  it('items about diffs stay TODO without applyCheck, with a reason', async () => {
    const gate = new ChecklistGate({
      phase: 'plan-code',
      store: memoryChecklists(),
      decompose: checklistModules('plan-code'),
      verify: () => true,
    });
    await gate.decompose(workOf(good));
    const { status, unverified, text } = await gate.verify(workOf(good));
    expect({ status, rules: unverified.map(({ rule }) => rule) }).toEqual({
      status: 'FAIL',
      rules: ['diff-applies'],
    });
    expect(text).toContain(
      'not verified: planCode needs `applyCheck`, for example `gitApplyCheck()` of reviewloop/node',
    );
  });
});
