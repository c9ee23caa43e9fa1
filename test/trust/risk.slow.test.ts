import { describe, expect, it } from 'vitest';
import * as calibration from '@/calibration/index.js';
import * as core from '@/index.js';
import { trustPresets } from '@/pipeline/trust-presets.js';
import * as policies from '@/policies/index.js';
import * as ports from '@/ports/index.js';
import { measuredJudges, riskCell, trueModel } from '../../bench/risk/measure.mjs';
import { regimes } from '../../bench/trust/simulation.mjs';

const library = { ...core, ...policies, ...ports, ...calibration, trustPresets };
const worlds = ['mid', 'strong', 'agreeable'] as const;
const runs = 100;

/** Three standard errors of a share, and the two points that the page promises. */
const near = (share: number) => 0.02 + 3 * Math.sqrt((share * (1 - share)) / runs);

// bench/cases/risk.mjs does the same with 2,000 tasks and measured judges
describe('the risk of an approval, through the engine', () => {
  it.each(worlds)('is predicted for the judge %s', async (name) => {
    const regime = regimes[name];
    const found = await riskCell(library, { regime, runs, model: trueModel(regime) });
    console.log(name, found);
    expect(found.approved).toBeGreaterThan(0.9 * runs);
    expect(Math.abs(found.predicted - found.wrong)).toBeLessThan(near(found.predicted));
  });

  it('is far too low if votes are taken as independent', async () => {
    const model = { ...trueModel(regimes.mid), betweenJudges: 0, withinJudge: 0 };
    const found = await riskCell(library, { regime: regimes.mid, runs, model });
    expect(found.wrong - found.predicted).toBeGreaterThan(near(found.predicted));
  });

  it('approves nothing of the agreeable judge within a budget of 0.3, and asks', async () => {
    const regime = regimes.agreeable;
    const model = trueModel(regime);
    const found = await riskCell(library, { regime, runs: 40, model, budget: 0.3 });
    expect(found).toMatchObject({ approved: 0, asked: 40 });
    const strong = await riskCell(library, {
      regime: regimes.strong,
      runs: 40,
      model: trueModel(regimes.strong),
      budget: 0.3,
    });
    expect(strong.approved).toBeGreaterThan(35);
  });

  it('is measured from labelled items too', async () => {
    const { model, predicted } = await measuredJudges(library, {
      regime: regimes.strong,
      examples: 120,
      resamples: 40,
    });
    const [first, edited] = [predicted?.first, predicted?.edited];
    if (model === null || first === undefined || edited === undefined) throw new Error('no model');
    const exact = trueModel(regimes.strong);
    const votes = ['a', 'b', 'c', 'a'].map((judge) => ({ judge, passed: true }));
    const { risk } = calibration.riskOfTexts([{ id: 't', versions: [{ votes }] }], exact);
    expect(first.low).toBeLessThan(risk);
    expect(first.high).toBeGreaterThan(risk);
    expect(edited.value).toBeGreaterThan(first.value);
  });
});
