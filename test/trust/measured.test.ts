import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as reviewers from '@/blocks/reviewers/index.js';
import * as core from '@/index.js';
import * as ports from '@/ports/index.js';
import {
  cell,
  editsTable,
  itemsOf,
  judged,
  presetCells,
  regimes,
  worldOf,
} from '../../bench/trust/simulation.mjs';

const library = { ...core, ...ports, ...reviewers };
const page = readFileSync('bench/trust/README.md', 'utf8');

it('the page shows what was measured; else run `node bench/trust/edits.mjs`', () => {
  const table = editsTable();
  expect(page).toContain(table);
  for (const { name } of presetCells) expect(table).toContain(`| ${name} |`);
});

describe('the world of the simulation', () => {
  const told = new Set(itemsOf().map(({ id }) => id));
  const tasks = Array.from({ length: 20 }, (_, task) => task);

  it('an edited text has new blind spots', () => {
    const fixer = { fix: 0, damageFlagged: 0, damageOther: 0 };
    const regime = { ...regimes.mid, judge: { catches: 0.5, alarms: 0.5 }, fixer };
    const kept = tasks.filter((task) => {
      const world = worldOf({ seed: 4, task, regime });
      const first = world.draft();
      const flags = [first, world.edit(first, told)].map((output) =>
        [...judged(world, output).flagged].join(),
      );
      return flags[0] === flags[1];
    });
    expect(kept).toEqual([]);
  });

  it('answers on one text follow each other, those on other texts do not count', () => {
    const world = worldOf({ seed: 4, task: 0, regime: regimes.mid });
    const first = world.draft();
    for (const family of ['a', 'b']) judged(world, first, { family });
    const edited = world.edit(first, told);
    judged(world, edited);
    expect(world.cost()).toEqual({ calls: 36, edits: 1, inARow: 3 });
  });

  it('asks again where a call fails, and judges nothing where all fail', () => {
    const world = worldOf({ seed: 4, task: 0, regime: { ...regimes.mid, outage: 1 } });
    expect(judged(world, world.draft(), { tries: 12 }).failed).toBe(true);
    expect(world.cost()).toEqual({ calls: 144, edits: 0, inARow: 12 });
  });

  it('plain loops meet the judges that pipelines meet', async () => {
    for (const task of tasks) {
      const [plain, asked] = [1, 2].map(() => worldOf({ seed: 4, task, regime: regimes.mid }));
      if (plain === undefined || asked === undefined) throw new Error('no world');
      const pipeline = core.definePipeline<number, Record<string, string>>({
        reviewers: itemsOf().map(({ id }) =>
          core.llmCriterion<Record<string, string>, number>({
            id,
            question: `Is item ${id} right?`,
            withTask: false,
            scope: (output) => output[id],
            provider: asked.judgeOf('a'),
          }),
        ),
        failFast: false,
      });
      const { gaps } = await pipeline.review(task, asked.draft());
      const flagged = [...judged(plain, plain.draft()).flagged];
      expect(gaps.map(({ criterionId }) => criterionId)).toEqual(flagged);
      expect(asked.cost().calls).toBe(plain.cost().calls);
    }
  });
});

describe('judges in turn', () => {
  it('do the same by prompts and answers of a model as by verdicts alone', async () => {
    for (const regime of [regimes.mid, regimes.outage, regimes['half by code']]) {
      const [bare, asked] = await Promise.all(
        [false, true].map((byPrompts) =>
          cell(library, 'fast, 3 judges', { regime, runs: 12, byPrompts }),
        ),
      );
      expect(bare).toEqual(asked);
    }
  });
});
