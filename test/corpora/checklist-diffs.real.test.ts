import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DiffFile } from '@/core/diff/diff-source.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import type { AgentOutput } from '@/index.js';
import { gitApplyCheck } from '@/node/git/apply-check.js';
import {
  ChecklistGate,
  checklistModules,
  memoryChecklists,
  planCode,
  readPlan,
  reconciliation,
  selectItems,
} from '@/products/checklist-gate/index.js';
import { changesOf, removedBy } from '@/products/checklist-gate/plan/diff-changes.js';
import { describeCorpora } from '../support/corpora.js';

/** The old or the new side of a file, with lines of its own where the diff shows none. */
function sideOf({ hunks }: DiffFile, side: 'old' | 'new'): string {
  const lines: string[] = [];
  for (const { oldStart, newStart, lines: shown } of hunks) {
    const start = side === 'old' ? oldStart : newStart;
    while (lines.length < start - 1) lines.push(`filler ${lines.length}`);
    lines.push(
      ...shown
        .filter((line) => line.startsWith(' ') || line.startsWith(side === 'old' ? '-' : '+'))
        .map((line) => line.slice(1)),
    );
  }
  return `${lines.join('\n')}\n`;
}

function filesOf(files: readonly DiffFile[], side: 'old' | 'new'): AgentOutput['artifacts'] {
  const there = files.filter(({ status }) => status !== (side === 'old' ? 'new' : 'deleted'));
  return there.map((file) => ({
    type: 'code',
    path: side === 'old' ? (file.oldPath ?? file.path) : file.path,
    content: sideOf(file, side),
  }));
}

const planOf = (diff: string): AgentOutput['artifacts'][number] => ({
  type: 'plan',
  path: 'the-plan.md',
  content: `# P\n\n## M1: All\n\n\`\`\`\`diff\n${diff}\`\`\`\`\n`,
});

describeCorpora('every recorded diff in a plan', (corpora) => {
  const folder = join(corpora, 'diffs');
  const diffs = readdirSync(folder)
    .filter((name) => name.endsWith('.diff'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

  it('is read file by file as the parser of diffs reads it', async () => {
    for (const { name, text } of diffs) {
      const parsed = await parseDiff(text);
      const read = new Map(changesOf(text).map((change) => [change.path, change]));
      // of files that only a binary patch or a mode changes, a plan promises no lines
      for (const { path, oldPath, added, removed, status } of parsed) {
        expect(read.has(path), `${name}: ${path}`).toBe(true);
        expect(
          [read.get(path)?.added.length, read.get(path)?.removed.length],
          `${name}: ${path}`,
        ).toEqual([added, removed]);
        expect(read.get(path)?.isRemoved, `${name}: ${path}`).toBe(status === 'deleted');
        if (status === 'renamed') expect(read.get(path)?.oldPath, `${name}: ${path}`).toBe(oldPath);
      }
      const gone = parsed.flatMap(({ path, oldPath, status }) =>
        status === 'deleted'
          ? [path]
          : status === 'renamed' && oldPath !== undefined
            ? [oldPath]
            : [],
      );
      expect([...removedBy([text])].toSorted(), name).toEqual(gone.toSorted());
    }
  });

  it('applies to its own files, is delivered afterwards, and fails on others [QR-03, QR-07]', async () => {
    const tried: string[] = [];
    for (const { name, text } of diffs) {
      const parsed = await parseDiff(text);
      const isText = parsed.every(
        ({ binary, submodule, hunks, status }) =>
          !binary && !submodule && (hunks.length > 0 || status === 'renamed'),
      );
      if (
        tried.length === 5 ||
        !isText ||
        /\r|\\ No newline|\ufffd/.test(text) ||
        text.length > 60_000
      )
        continue;
      const verify = async (
        phase: 'plan-code' | 'impl-code',
        files: AgentOutput['artifacts'],
        rule: string,
      ) => {
        const work = { artifacts: [planOf(text), ...files] };
        const module =
          phase === 'plan-code' ? planCode({ applyCheck: gitApplyCheck() }) : reconciliation();
        const gate = new ChecklistGate({
          phase,
          store: memoryChecklists(),
          decompose: module,
          verify: () => true,
        });
        await gate.decompose(work);
        await gate.verify(work);
        return (await gate.state()).items.find((item) => item.rule === rule);
      };
      const [before, after] = [filesOf(parsed, 'old'), filesOf(parsed, 'new')];
      expect(await verify('plan-code', before, 'diff-applies'), name).toMatchObject({
        status: 'PASS',
      });
      expect(await verify('impl-code', after, 'milestone-delivered'), name).toMatchObject({
        status: 'PASS',
      });
      expect(await verify('impl-code', before, 'milestone-delivered'), name).toMatchObject({
        status: 'FAIL',
      });
      if (before.length > 0) {
        const spoilt = before.map((file) => ({
          ...file,
          content: (file.content ?? '').replaceAll(/\S/g, 'x'),
        }));
        expect(await verify('plan-code', spoilt, 'diff-applies'), name).toMatchObject({
          status: 'FAIL',
          finding: expect.stringContaining('the diff does not apply'),
        });
      }
      tried.push(name);
    }
    expect(tried.length).toBe(5);
    console.log(`diffs of text that were applied and delivered: ${tried.join(', ')}`);
  });
});

describeCorpora('every recorded plan', (corpora) => {
  const folder = join(corpora, 'plans', 'openspec');
  const plans = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

  it('is read as a plan: numbered sections are milestones, and no box is lost [QR-02]', () => {
    const rows: string[] = [];
    for (const { name, text } of plans) {
      const { milestones } = readPlan(text);
      const sections = text
        .split(/^(?=#{1,6} )/m)
        .filter((part) => /^#{1,6} \d/.test(part) && /^[-*] \[[ xX]\] /m.test(part));
      if (sections.length === 0) continue;
      const boxes = sections.map((part) => part.match(/^[-*] \[[ xX]\] /gm)?.length ?? 0);
      expect(milestones.length, name).toBe(sections.length);
      expect(
        milestones.map(({ codeIntents }) => codeIntents.length >= 1),
        name,
      ).toEqual(sections.map(() => true));
      expect(
        milestones.reduce((sum, { codeIntents }) => sum + codeIntents.length, 0),
        name,
      ).toBeGreaterThanOrEqual(boxes.reduce((sum, count) => sum + count, 0));
      for (const { title, line, endLine } of milestones) {
        expect(text.split('\n')[(line ?? 0) - 1], name).toContain(title);
        expect(endLine, name).toBeGreaterThanOrEqual(line ?? 0);
      }
      rows.push(
        `${name.slice(0, 60).padEnd(60)} ${String(milestones.length).padStart(3)} ${String(boxes.reduce((sum, count) => sum + count, 0)).padStart(4)}`,
      );
    }
    expect(rows.length).toBeGreaterThan(plans.length / 2);
    console.log(
      [
        'plan                                                  milestones boxes',
        ...rows,
        `${plans.length - rows.length} of ${plans.length} number no sections with boxes`,
      ].join('\n'),
    );
  });

  it('goes through the gate: each milestone has items, and missing acceptance criteria fail [QR-02, QR-08]', async () => {
    for (const { name, text } of plans.slice(0, 3)) {
      const work = { artifacts: [{ type: 'document', path: `${name}.plan.md`, content: text }] };
      const ids = [...new Set(readPlan(text).milestones.map(({ id }) => id))];
      const gate = new ChecklistGate({
        phase: 'plan-structure',
        store: memoryChecklists(),
        decompose: checklistModules('plan-structure'),
        verify: () => true,
      });
      const { items } = await gate.decompose(work);
      expect(items.length, name).toBe(2 + 3 * ids.length);
      for (const id of ids)
        expect(selectItems(work, `milestone:${id}`).missing, name).toBeUndefined();
      const { failed, unverified } = await gate.verify(work);
      expect(unverified, name).toEqual([]);
      expect(failed.filter(({ rule }) => rule === 'milestone-acceptance').length, name).toBe(
        readPlan(text).milestones.filter(
          ({ acceptanceCriteria }) => acceptanceCriteria.length === 0,
        ).length,
      );
    }
  });
});
