import fc from 'fast-check';
import { cumulativeStdNormalProbability, probit, quantileSorted } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { figureText } from '@/core/score-text.js';
import { cohensKappa, confusionOf, flipRate, ratesOf } from '@/products/calibration/confusion.js';
import {
  bootstrapInterval,
  normalQuantile,
  normalShare,
  quantileOf,
  seededRandom,
  wilsonInterval,
} from '@/products/calibration/interval.js';

fc.configureGlobal({ seed: 40, numRuns: 200 });

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const judgements = fc.array(fc.record({ passed: fc.boolean(), good: fc.boolean() }), {
  minLength: 1,
  maxLength: 60,
});

describe('rates', () => {
  it('count every judgement once, and are shares', () => {
    fc.assert(
      fc.property(judgements, (given) => {
        const confusion = confusionOf(given);
        const all = Object.values({ ...confusion }).reduce((sum, count) => sum + count, 0);
        expect(all).toBe(given.length);
        for (const rate of Object.values(ratesOf(confusion)))
          expect(rate ?? 0).toBeGreaterThanOrEqual(0);
        for (const rate of Object.values(ratesOf(confusion)))
          expect(rate ?? 0).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('are known for a known table', () => {
    const rates = ratesOf({ truePass: 90, falseFail: 10, trueFail: 25, falsePass: 75 });
    expect(rates).toEqual({
      tpr: 0.9,
      tnr: 0.25,
      precision: 90 / 165,
      accuracy: 115 / 200,
      balancedAccuracy: 0.575,
    });
    expect(ratesOf({ truePass: 1, falseFail: 0, trueFail: 0, falsePass: 0 })).toMatchObject({
      tnr: undefined,
      balancedAccuracy: undefined,
    });
  });
});

describe('kappa', () => {
  it('is 1 for equal lists, symmetric, at most 1, and the same under other names', () => {
    const lists = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
      { minLength: 2, maxLength: 50 },
    );
    fc.assert(
      fc.property(lists, (pairs) => {
        const [a, b] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
        const kappa = cohensKappa(a, b);
        if (kappa !== undefined) {
          expect(kappa).toBeLessThanOrEqual(1);
          expect(cohensKappa(b, a)).toBeCloseTo(kappa, 10);
        }
        if (new Set(a).size > 1) expect(cohensKappa(a, a)).toBe(1);
      }),
    );
  });

  it('is what text books say', () => {
    const cells = (...table: readonly (readonly number[])[]): [number[], number[]] => {
      const pairs = table.flatMap((row, first) =>
        row.flatMap((count, second) =>
          Array.from({ length: count }, () => [first, second] as const),
        ),
      );
      return [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
    };
    expect(cohensKappa(...cells([20, 5], [10, 15]))).toBeCloseTo(0.4, 12);
    expect(cohensKappa(...cells([45, 15], [25, 15]))).toBeCloseTo(0.1304, 4);
    expect(cohensKappa([1, 1], [1, 1])).toBeUndefined();
    expect(cohensKappa([], [])).toBeUndefined();
    expect(() => cohensKappa([1], [1, 2])).toThrow(/same length/);
  });
});

it('the normal distribution agrees with another library, and with itself backwards', () => {
  for (let z = -3; z <= 3; z += 0.25) {
    expect(normalShare(z)).toBeCloseTo(cumulativeStdNormalProbability(z), 3);
    expect(normalQuantile(normalShare(z))).toBeCloseTo(z, 8);
  }
  for (const share of [0.01, 0.2, 0.5, 0.9, 0.99])
    expect(normalQuantile(share)).toBeCloseTo(probit(share), 2);
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 10);
  expect(normalShare(-8)).toBeCloseTo(6.220960574271786e-16, 25);
  expect([normalQuantile(0), normalQuantile(1), normalQuantile(2)]).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ]);
});

describe('intervals', () => {
  it('are not there where nothing can be counted, and refuse what they cannot do', () => {
    expect(bootstrapInterval([[]], () => 1)).toBeUndefined();
    expect(bootstrapInterval([[1, 2]], () => undefined)).toBeUndefined();
    let seen = false;
    const once = (): number | undefined => {
      if (seen) return undefined;
      seen = true;
      return 1;
    };
    expect(bootstrapInterval([[1, 2]], once)).toBeUndefined();
    for (const wrong of [
      { confidence: 1 },
      { confidence: '0.9' },
      { resamples: 0 },
      { seed: -1 },
      { rounds: 2 },
    ])
      expect(
        () => bootstrapInterval([[1]], () => 1, wrong as never),
        JSON.stringify(wrong),
      ).toThrow();
    expect(quantileOf([], 0.5)).toBeNaN();
  });

  it('are the same for the same seed, and hold the figure between their ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 30 }),
        (values) => {
          const draw = () =>
            bootstrapInterval([values], ([items = []]) => mean(items), { resamples: 200 });
          const interval = draw();
          expect(draw()).toEqual(interval);
          expect(interval?.low).toBeLessThanOrEqual(interval?.high ?? Number.NaN);
          expect(interval?.low).toBeGreaterThanOrEqual(Math.min(...values));
          expect(interval?.high).toBeLessThanOrEqual(Math.max(...values));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('hold the true mean about as often as they say', () => {
    const next = seededRandom(7);
    let held = 0;
    for (let round = 0; round < 300; round += 1) {
      const values = Array.from({ length: 60 }, () => next() ** 2);
      const interval = bootstrapInterval([values], ([items = []]) => mean(items), {
        resamples: 300,
        seed: round,
      });
      held += Number(interval !== undefined && interval.low <= 1 / 3 && interval.high >= 1 / 3);
    }
    expect(held / 300).toBeGreaterThan(0.89);
    expect(held / 300).toBeLessThanOrEqual(0.99);
  });

  it('cut where another library does not disagree by more than a step', () => {
    const values = Array.from({ length: 501 }, (_, index) => index);
    for (const share of [0.025, 0.5, 0.975])
      expect(
        Math.abs(quantileOf(values, share) - quantileSorted(values, share)),
      ).toBeLessThanOrEqual(1);
  });

  it('of shares are known, and claim no certainty of none and of all', () => {
    expect(wilsonInterval(8, 10)?.low).toBeCloseTo(0.490162, 5);
    expect(wilsonInterval(8, 10)?.high).toBeCloseTo(0.943318, 5);
    expect(wilsonInterval(10, 10)).toMatchObject({ high: 1 });
    expect(wilsonInterval(10, 10)?.low).toBeCloseTo(0.722467, 5);
    expect(wilsonInterval(0, 0)).toBeUndefined();
    expect(() => wilsonInterval(3, 2)).toThrow(/all/);
  });
});

describe('agreement', () => {
  it('of runs is the share of pairs that differ', () => {
    expect(flipRate([['p', 'p', 'f'], ['p', 'p'], ['f']])).toBeCloseTo((2 / 3 + 0) / 2, 12);
    expect(flipRate([['p'], []])).toBeUndefined();
  });
});

it.each([
  [2 / 3, undefined, '0.67'],
  [0.757, undefined, '0.76'],
  [0.5599999999999999, undefined, '0.56'],
  [1, undefined, '1'],
  [0.6996, 0.7, '0.6996'],
  [0.699999, 0.7, '0.699999'],
  [0.7, 0.7, '0.7'],
])('%s beside the bar %s is shown as %s [R2-088]', (value, bar, text) => {
  expect(figureText(value, bar)).toBe(text);
});

it('no figure that misses its bar reads as the bar [R2-088]', () => {
  const share = fc.integer({ min: 0, max: 1_000_000 }).map((part) => part / 1_000_000);
  fc.assert(
    fc.property(share, share, (value, bar) => {
      expect(figureText(value, bar) === String(bar)).toBe(
        value === bar && figureText(bar) === String(bar),
      );
    }),
  );
});
