import { describe, expect, it } from 'vitest';
import { draft, noisyJudge, read, regimes } from '../../../bench/trust/simulation.mjs';
import {
  type CalibrateJudgesOptions,
  calibrateJudges,
  JudgesCalibrationSchema,
  type LabelledExample,
  riskOfTexts,
  withinRisk,
} from '../../../src/calibration/index.js';
import { fitJudges, type JudgedText } from '../../../src/calibration/judges-fit.js';
import { normalQuantile } from '../../../src/calibration/normal-distribution.js';
import { seededRandom } from '../../../src/calibration/seeded-random.js';
import { voteCorrelation } from '../../../src/calibration/vote-correlation.js';
import { llmCriterion, type Reviewer, thresholds } from '../../../src/index.js';
import { checklistJudge } from '../../support/checklist-judge.js';

const right = llmCriterion<string, number>({
  id: 'right',
  question: 'Is the item right?',
  withTask: false,
});

const truth = { between: 0.44, within: 0.78, tpr: 0.94, tnr: 0.57 };

/** Votes that were drawn from the model of risk itself. */
function drawn(count: number, judges = 3, calls = 2): JudgedText[] {
  const next = seededRandom(7);
  const normal = (): number => normalQuantile(next() * 0.999998 + 0.000001);
  return Array.from({ length: count }, (_, index) => {
    const good = index % 2 === 0;
    const shared = Math.sqrt(truth.between) * normal();
    const bar = normalQuantile(good ? 1 - truth.tpr : truth.tnr);
    return {
      good,
      passes: Array.from({ length: judges }, () => {
        const own = Math.sqrt(truth.within - truth.between) * normal();
        return Array.from(
          { length: calls },
          () => shared + own + Math.sqrt(1 - truth.within) * normal() >= bar,
        );
      }),
    };
  });
}

const assumed = {
  judges: ['a', 'b', 'c'],
  prior: 0.15,
  fix: 0.7,
  damage: 0.2,
  passes: { first: 4, edited: 6 },
};

/** Items of which half are wrong, labelled by what they are. */
function labelled(count: number): LabelledExample<number, string>[] {
  const texts = Array.from({ length: count }, (_, task) =>
    Object.values(draft({ seed: 9, task })),
  ).flat();
  const of = (ok: boolean) =>
    texts.filter((text) => read(text).ok === ok).slice(0, Math.ceil(count / 2));
  return [...of(true), ...of(false)].map((output) => ({
    task: 1,
    output,
    label: read(output).ok ? 'pass' : 'fail',
  }));
}

const judges = () =>
  ['a', 'b'].map((family) => noisyJudge({ seed: 9, family, regime: regimes.mid }));
const given = (more: Partial<CalibrateJudgesOptions> = {}): CalibrateJudgesOptions => ({
  providers: judges(),
  prior: 0.15,
  resamples: 40,
  ...more,
});

describe('fitJudges', () => {
  it('finds the rates and correlations that the votes were drawn with', () => {
    const {
      model,
      betweenJudges,
      withinJudge,
      first = 0,
      edited = 0,
    } = fitJudges(drawn(6000), assumed);
    expect(Math.abs((betweenJudges ?? 0) - truth.between)).toBeLessThan(0.05);
    expect(Math.abs((withinJudge ?? 0) - truth.within)).toBeLessThan(0.05);
    for (const rates of Object.values(model?.rates ?? {})) {
      expect(Math.abs(rates.tpr - truth.tpr)).toBeLessThan(0.02);
      expect(Math.abs(rates.tnr - truth.tnr)).toBeLessThan(0.03);
    }
    const exact = {
      rates: {},
      otherwise: { tpr: truth.tpr, tnr: truth.tnr },
      betweenJudges: truth.between,
      withinJudge: truth.within,
      prior: 0.15,
      fix: 0.7,
      damage: 0.2,
    };
    const votes = ['a', 'b', 'c', 'a'].map((judge) => ({ judge, passed: true }));
    const { risk } = riskOfTexts([{ id: 't', versions: [{ votes }] }], exact);
    expect(Math.abs(first - risk)).toBeLessThan(0.01);
    expect(edited).toBeGreaterThan(first);
  });

  it('has no model of judges that were seen on one label only', () => {
    const good = drawn(60).filter((text) => text.good);
    expect(fitJudges(good, assumed)).toMatchObject({ model: undefined, first: undefined });
  });
});

describe('voteCorrelation', () => {
  const pair = (both: number) => ({ rates: [0.5, 0.5] as const, all: 1000, both });

  it('is 0 for independent calls, high for equal ones, and unknown without failures', () => {
    expect(voteCorrelation([pair(250)])).toBe(0);
    expect(voteCorrelation([pair(100)])).toBe(0);
    expect(voteCorrelation([pair(500)])).toBe(0.98);
    // a third of a plane is in both quadrants at a correlation of 0.5
    expect(voteCorrelation([pair(1000 / 3)])).toBeCloseTo(0.5, 2);
    expect(voteCorrelation([{ rates: [0, 0.5], all: 100, both: 0 }])).toBeUndefined();
    expect(voteCorrelation([])).toBeUndefined();
  });
});

describe('calibrateJudges', () => {
  it('measures several judges on equal examples, with intervals that shrink', async () => {
    const few = await calibrateJudges(right, labelled(40), given());
    const many = await calibrateJudges(right, labelled(200), given());
    expect(JudgesCalibrationSchema.parse(JSON.parse(JSON.stringify(many)))).toEqual(many);
    expect(
      many.calibrations.map(({ judge, repetitions }) => [judge.provider, repetitions]),
    ).toEqual([
      ['family-a', 2],
      ['family-b', 2],
    ]);
    expect(Object.keys(many.model?.rates ?? {})).toEqual(['family-a fresh', 'family-b fresh']);
    const width = ({ predicted }: typeof many): number =>
      (predicted?.edited.high ?? 1) - (predicted?.edited.low ?? 0);
    expect(width(many)).toBeLessThan(width(few));
    for (const one of [many.betweenJudges, many.withinJudge, many.predicted?.first]) {
      expect(one?.low).toBeLessThanOrEqual(one?.value ?? 0);
      expect(one?.high).toBeGreaterThanOrEqual(one?.value ?? 1);
    }
    expect(many.prior).toEqual({ value: 0.15, low: 0.15, high: 0.15 });
    expect(many.notes).toEqual(['fix 0.5 and damage 0.2: assumed, not measured']);
    if (many.model === null) throw new Error('no model');
    expect(() => withinRisk(thresholds(), { model: many.model!, budget: 0.1 })).not.toThrow();
  }, 60_000);

  it('says what it could not measure, and what it assumes', async () => {
    const blind = checklistJudge([], { id: 'blind' });
    const examples = labelled(6);
    const one = await calibrateJudges(right, examples, { providers: [blind], repetitions: 1 });
    expect(one).toMatchObject({ betweenJudges: null, withinJudge: null, model: null });
    expect(one.predicted).toBeNull();
    expect(one.prior.value).toBe(0.5);
    expect(one.notes.join('\n')).toMatch(
      /random sample[\s\S]*assumed[\s\S]*one judge[\s\S]*repetitions[\s\S]*no model/,
    );
  });

  it('tells the progress of all judges, and calls each one again', async () => {
    const providers = [checklistJudge([], { id: 'a' }), checklistJudge([], { id: 'b' })];
    const done: string[] = [];
    await calibrateJudges(right, labelled(2), {
      providers,
      onProgress: (progress) => done.push(`${progress.done}/${progress.total}`),
    });
    expect(done.at(-1)).toBe('8/8');
    expect(providers.map(({ requests }) => requests.length)).toEqual([4, 4]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no judges', { providers: [] }, /`providers`/],
    ['one provider', { provider: judges()[0] }, /provider/],
    ['a prior of 0', { prior: 0 }, /`prior`/],
    ['a fix above 1', { fix: 2 }, /`fix`/],
    ['fewer passes of an edited text', { passes: { first: 3, edited: 1 } }, /`passes.edited`/],
    ['an unknown option', { judges: 2 }, /judges/],
  ])('refuses %s', async (_, options, message) => {
    await expect(
      calibrateJudges(right, labelled(2), { ...given(), ...(options as object) }),
    ).rejects.toThrow(message);
  });

  it('refuses a judge that asks no model', async () => {
    const check: Reviewer<number, string> = {
      id: 'x',
      version: '1',
      tier: 'code',
      review: async () => [],
    };
    await expect(calibrateJudges(check, labelled(2), given())).rejects.toThrow(/asks a model/);
  });
});
