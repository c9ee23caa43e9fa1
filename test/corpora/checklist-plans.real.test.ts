import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  ChecklistGate,
  checklistModules,
  memoryChecklists,
  readPlan,
  selectItems,
} from '@/checklist-gate/index.js';
import { describeCorpora } from '../support/corpora.js';

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
