import { describe, expect, it } from 'vitest';
import * as reviewers from '@/blocks/reviewers/index.js';
import * as core from '@/index.js';
import * as ports from '@/ports/index.js';
import {
  above,
  cell,
  draft,
  type Figures,
  faults,
  figures,
  noisyJudge,
  pairedAbove,
  read,
  regimes,
} from '../../bench/trust/simulation.mjs';

const library = { ...core, ...reviewers, ...ports };

const cells = new Map<string, Promise<Figures>>();
interface Became {
  readonly wrong: boolean;
  readonly worse: boolean;
}
const tasks = new Map<string, Became[]>();

/** The figures of a cell, run once. */
function ran(name: string, regime: keyof typeof regimes, runs: number): Promise<Figures> {
  const key = [name, regime, runs].join();
  const known = cells.get(key);
  if (known !== undefined) return known;
  const each: Became[] = [];
  tasks.set(`${name},${regime}`, each);
  const started = cell(library, name, {
    regime: regimes[regime],
    runs,
    each: (task, became) => (each[task] = became),
  }).then(figures);
  cells.set(key, started);
  return started;
}

/** What became of each task of a cell that has run. */
const became = (
  name: string,
  regime: keyof typeof regimes,
  what: keyof Became,
): readonly boolean[] => (tasks.get(`${name},${regime}`) ?? []).map((task) => task[what]);

/** Runs of the cells whose order is shown. */
const orderings = 400;

const [fast, guarded, autonomous] = ['fast, 3 judges', 'guarded, 3 judges', 'autonomous, 3 judges'];
const mine = ['default', fast, guarded, autonomous];

describe('the simulation', () => {
  it('returns no version that nobody reviewed, where the self-review loop as specified does', async () => {
    for (const name of [fast, guarded])
      expect((await ran(name, 'mid', orderings)).unreviewed.value, name).toBe(0);
    for (const name of ['default', autonomous])
      expect((await ran(name, 'mid', 40)).unreviewed.value, name).toBe(0);
    const seed = (await ran('self-review loop as specified', 'mid', orderings)).unreviewed;
    expect(seed.value).toBeGreaterThan(3 * seed.error);
  });

  it('approves nothing while no judge answers', async () => {
    for (const name of mine)
      expect(
        (await cell(library, name, { regime: { ...regimes.mid, outage: 1 }, runs: 15 }))[
          'approved'
        ],
        name,
      ).toBe(0);
  });

  it('approves wrongly less often under fast than the self-review loop as specified, and under guarded less often than under fast', async () => {
    const seed = await ran('self-review loop as specified', 'mid', orderings);
    const presets = [await ran(fast, 'mid', orderings), await ran(guarded, 'mid', orderings)];
    for (const preset of presets)
      expect(above(seed.falseApprovals, preset.falseApprovals)).toBeGreaterThan(3);
    // over the same tasks, so that the difference is what varies
    expect(
      pairedAbove(became(fast, 'mid', 'wrong'), became(guarded, 'mid', 'wrong')),
    ).toBeGreaterThan(1);
  });

  it('makes a draft worse less often with keep-best and protected criteria than with keep-last, and samples better than it refines, with a bad fixer', async () => {
    for (const name of ['keep last', 'keep best, protected']) await ran(name, 'bad fixer', 250);
    expect(
      pairedAbove(
        became('keep last', 'bad fixer', 'worse'),
        became('keep best, protected', 'bad fixer', 'worse'),
      ),
    ).toBeGreaterThan(3);
    expect(
      above(
        (await ran('best of 4', 'bad fixer', 200)).clean,
        (await ran('Self-Refine', 'bad fixer', 200)).clean,
      ),
    ).toBeGreaterThan(3);
  });

  it('asks less with reuse than without, at equal false approvals', async () => {
    const [reused, full] = [
      await ran('confirmed', 'strong', 150),
      await ran('confirmed, no reuse', 'strong', 150),
    ];
    expect(reused.calls).toBeLessThan(0.9 * full.calls);
    expect(Math.abs(reused.wrongPerTask.value - full.wrongPerTask.value)).toBeLessThan(
      3 * Math.hypot(reused.wrongPerTask.error, full.wrongPerTask.error),
    );
  });

  it('a judge that is shown everything judges what it is asked about', async () => {
    const provider = noisyJudge({
      seed: 1,
      family: 'a',
      regime: { ...regimes.mid, judge: { catches: 0.9999, alarms: 0.0001 } },
    });
    const output = {
      c1: 'Item c1 is right, of make a, revision 0.',
      m1: 'Item m1 is wrong, of make b, revision 0.',
    };
    const judges = ['c1', 'm1'].map((id) =>
      library.llmCriterion<typeof output, string>({
        id,
        question: `Is item ${id} right?`,
        withTask: false,
        provider,
      }),
    );
    const { assessments } = await library
      .definePipeline<string, typeof output>({ reviewers: judges })
      .review('', output);
    expect(assessments.map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
  });

  it('keeps the truth in the text alone', () => {
    expect(draft({ seed: 4, task: 1 })).toEqual(draft({ seed: 4, task: 1 }));
    expect(faults(draft({ seed: 4, task: 1 }))).toBeGreaterThanOrEqual(0);
    expect(() => read('Item x is fine')).toThrow(/no item/);
  });
});
