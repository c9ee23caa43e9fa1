import { describe, expect, it } from 'vitest';
import { above, calibrationPoints, cell, draft, type Figures, faults, figures, noisyJudge, oracle, type Regime, read, regimes } from '../../bench/trust/simulation.mjs';
import * as library from '../../src/index.js';
import { calibrate, type LabelledExample, requireCalibration } from '../../src/pipelines/calibration/index.js';

const ran = async (name: string, regime: Regime, runs: number): Promise<Figures> => figures(await cell(library, name, { regime, runs }));
const mine = ['default', 'fast', 'guarded', 'autonomous'];

describe('the simulation', { timeout: 120_000 }, () => {
  it('stands where published figures are, before anything is compared', async () => {
    const { oneShot, agreement, kappa, flips, votes } = calibrationPoints(6000);
    console.log(`one-shot ${oneShot.toFixed(3)}, agreement ${agreement.toFixed(3)}, kappa ${kappa.toFixed(2)}, flips ${flips.toFixed(3)}, votes of nine ${votes.toFixed(2)}`);
    expect(Math.abs(oneShot - 0.318)).toBeLessThan(0.02);
    expect(Math.abs(agreement - 0.778)).toBeLessThan(0.02);
    expect(Math.abs(flips - 0.135)).toBeLessThan(0.02);
    expect(Math.abs(votes - 2.14)).toBeLessThan(0.25);
    expect(Math.abs((await oracle(library, 150)) - 0.968)).toBeLessThan(0.045);
  });

  it('returns no version that nobody reviewed, where seed 004 does', async () => {
    for (const name of mine) expect((await ran(name, regimes.mid, 40)).unreviewed.value, name).toBe(0);
    const seed = (await ran('seed 004', regimes.mid, 60)).unreviewed;
    expect(seed.value).toBeGreaterThan(3 * seed.error);
  });

  it('approves nothing while no judge answers', async () => {
    for (const name of mine) expect((await ran(name, { ...regimes.mid, outage: 1 }, 15)).approved.value, name).toBe(0);
  });

  it('approves wrongly less often under a preset than seed 004 does', async () => {
    expect(above((await ran('seed 004', regimes.mid, 250)).wrongPerTask, (await ran('fast', regimes.mid, 250)).wrongPerTask)).toBeGreaterThan(3);
  });

  it('makes a draft worse less often when it keeps the best, and samples better than it refines, with a bad fixer', async () => {
    const bad = regimes['bad fixer'];
    expect(above((await ran('keep last', bad, 250)).worse, (await ran('default', bad, 250)).worse)).toBeGreaterThan(3);
    expect(above((await ran('best of 4', bad, 250)).clean, (await ran('Self-Refine', bad, 250)).clean)).toBeGreaterThan(3);
  });

  it('asks less with reuse than without, at equal false approvals', async () => {
    const [reused, full] = [await ran('confirmed', regimes.strong, 150), await ran('confirmed, no reuse', regimes.strong, 150)];
    expect(reused.calls).toBeLessThan(0.9 * full.calls);
    expect(Math.abs(reused.wrongPerTask.value - full.wrongPerTask.value)).toBeLessThan(3 * Math.hypot(reused.wrongPerTask.error, full.wrongPerTask.error));
  });

  it('refuses the agreeable judge by calibration, and lets the strong one approve', async () => {
    const labelled = Array.from({ length: 40 }, (_, task): LabelledExample<number, string>[] => {
      const output = draft({ seed: 9, task });
      return Object.values(output).map((text) => ({ task, output: text, label: read(text).ok ? 'pass' : 'fail' }));
    }).flat();
    const outcomes = await Promise.all(
      [regimes.agreeable, regimes.strong].map(async (regime) => {
        const provider = noisyJudge({ seed: 9, family: 'a', regime });
        const judge = library.llmCriterion<string, number>({ id: 'right', question: 'Is the item right?', withTask: false });
        const calibrations = [await calibrate(judge, labelled, { provider })];
        const pipeline = library.definePipeline<number, string>({
          produce: async () => 'Item m1 is right, of make fine, revision 0.',
          reviewers: [judge],
          provider,
          policy: requireCalibration({ calibrations, minTnr: 0.6 }),
        });
        const ends = await Promise.all(Array.from({ length: 10 }, (_, task) => pipeline.run(task)));
        return ends.filter(({ approved }) => approved).length;
      }),
    );
    expect(outcomes[0]).toBe(0);
    expect(outcomes[1]).toBeGreaterThan(0);
  });

  it('keeps the truth in the text alone', () => {
    expect(draft({ seed: 4, task: 1 })).toEqual(draft({ seed: 4, task: 1 }));
    expect(faults(draft({ seed: 4, task: 1 }))).toBeGreaterThanOrEqual(0);
    expect(() => read('Item x is fine')).toThrow(/no item/);
  });
});
