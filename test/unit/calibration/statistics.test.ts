import fc from 'fast-check';
import { cumulativeStdNormalProbability, probit, quantileSorted } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { figureText } from '@/calibration/figure-text.js';
import {
  bootstrapInterval,
  cohensKappa,
  confusionOf,
  correctedPassRate,
  countSeverities,
  flipRate,
  independentVotes,
  mcNemar,
  positionBias,
  ratesOf,
  severityOf,
  wilsonInterval,
} from '@/calibration/index.js';
import { quantileOf } from '@/calibration/interval.js';
import { normalQuantile, normalShare } from '@/calibration/normal-distribution.js';
import { seededRandom } from '@/calibration/seeded-random.js';

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
        expect(Object.values(confusion).reduce((sum, count) => sum + count, 0)).toBe(given.length);
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
      fc.property(
        lists,
        fc.constantFrom('none' as const, 'linear' as const, 'quadratic' as const),
        (pairs, weights) => {
          const [a, b] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
          const kappa = cohensKappa(a, b, { weights });
          if (kappa !== undefined) {
            expect(kappa).toBeLessThanOrEqual(1);
            expect(cohensKappa(b, a, { weights })).toBeCloseTo(kappa, 10);
          }
          if (new Set(a).size > 1) expect(cohensKappa(a, a, { weights })).toBe(1);
        },
      ),
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
    const graded = cells([5, 8, 1], [3, 5, 3], [1, 2, 7]);
    expect(cohensKappa(...graded, { weights: 'linear' })).toBeCloseTo(
      1 -
        (8 + 2 + 3 + 3 + 2 + 2) /
          ((14 * 15 + 2 * 14 * 11 + 11 * 9 + 11 * 11 + 2 * 10 * 9 + 10 * 15) / 35),
      12,
    );
    expect(cohensKappa([1, 1], [1, 1])).toBeUndefined();
    expect(cohensKappa([], [])).toBeUndefined();
    expect(() => cohensKappa([1], [1, 2])).toThrow(/same length/);
    expect(() => cohensKappa([1], [9], { categories: [1, 2] })).toThrow(
      '9 is not one of the `categories` 1, 2',
    );
    expect(() => cohensKappa([9], [1], { categories: [1, 2] })).toThrow('9 is not one of');
    expect(() => cohensKappa([1], [1], { weights: 'cubic' as never })).toThrow(/weights/);
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
      { method: 'mean' },
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
        fc.constantFrom('bca' as const, 'percentile' as const),
        (values, method) => {
          const draw = () =>
            bootstrapInterval([values], ([items = []]) => mean(items), { resamples: 200, method });
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
    for (const method of ['percentile', 'bca'] as const) {
      let held = 0;
      for (let round = 0; round < 300; round += 1) {
        const values = Array.from({ length: 60 }, () => next() ** 2);
        const interval = bootstrapInterval([values], ([items = []]) => mean(items), {
          resamples: 300,
          seed: round,
          method,
        });
        held += Number(interval !== undefined && interval.low <= 1 / 3 && interval.high >= 1 / 3);
      }
      expect(held / 300).toBeGreaterThan(0.89);
      expect(held / 300).toBeLessThanOrEqual(0.99);
    }
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
    expect(bootstrapInterval<number>([[]], () => 1)).toBeUndefined();
    expect(() => bootstrapInterval([[1]], () => 1, { confidence: 1 })).toThrow(/confidence/);
    expect(() => bootstrapInterval([[1]], () => 1, { method: 'none' as never })).toThrow(/method/);
  });
});

describe('agreement', () => {
  it('of runs is the share of pairs that differ', () => {
    expect(flipRate([['p', 'p', 'f'], ['p', 'p'], ['f']])).toBeCloseTo((2 / 3 + 0) / 2, 12);
    expect(flipRate([['p'], []])).toBeUndefined();
  });

  it('over swapped orders tells what the order decides', () => {
    const bias = positionBias([
      { winner: 'first', swapped: 'first' },
      { winner: 'first', swapped: 'second' },
      { winner: 'second', swapped: 'first' },
      { winner: 'first', swapped: 'second' },
      { winner: 'tie', swapped: 'first' },
    ]);
    expect(bias).toEqual({ compared: 5, consistency: 0.2, firstShown: 2 / 3 });
    expect(positionBias([])).toEqual({
      compared: 0,
      consistency: undefined,
      firstShown: undefined,
    });
  });

  it('of two judges is tested exactly', () => {
    expect(mcNemar(0, 0)).toBe(1);
    expect(mcNemar(5, 5)).toBe(1);
    expect(mcNemar(1, 9)).toBeCloseTo(22 / 1024, 12);
    expect(mcNemar(9, 1)).toBe(mcNemar(1, 9));
    expect(mcNemar(400, 500)).toBeCloseTo(0.00097, 4);
  });

  it('of copies is one vote, of strangers as many as there are', () => {
    const next = seededRandom(3);
    const lists = Array.from({ length: 9 }, () => Array.from({ length: 4000 }, () => next() < 0.5));
    expect(independentVotes(lists)?.votes).toBeGreaterThan(8);
    const [one = []] = lists;
    expect(independentVotes([one, one, one])).toMatchObject({
      judges: 3,
      agreement: 1,
      kappa: 1,
      votes: 1,
    });
    expect(independentVotes([[true], [true]])).toMatchObject({ votes: 1 });
    expect(independentVotes([[], []])).toBeUndefined();
    expect(() => independentVotes([[true]])).toThrow(/two judges/);
  });
});

it('a corrected pass rate recovers the true share, and returns nothing for a judge at chance', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 60, max: 100 }),
      fc.integer({ min: 60, max: 100 }),
      (good, tpr, tnr) => {
        const passed = good * tpr + (100 - good) * (100 - tnr);
        const corrected = correctedPassRate(
          { count: passed, all: 10_000 },
          { truePass: tpr, falseFail: 100 - tpr, trueFail: tnr, falsePass: 100 - tnr },
        );
        expect(corrected?.rate).toBeCloseTo(good / 100, 8);
        expect(corrected?.low).toBeLessThanOrEqual(corrected?.rate ?? Number.NaN);
        expect(corrected?.high).toBeGreaterThanOrEqual(corrected?.rate ?? Number.NaN);
      },
    ),
  );
  const corrected = (count: number, all: number, falseFail: number, trueFail: number) =>
    correctedPassRate({ count, all }, { truePass: 5, falseFail, trueFail, falsePass: falseFail });
  expect(corrected(5, 10, 5, 5)).toBeUndefined();
  expect(corrected(0, 0, 0, 5)).toBeUndefined();
  expect(corrected(1, 2, 0, 0)).toBeUndefined();
});

describe('the words of other tools for a severity', () => {
  it('map in any dress', () => {
    const known = {
      critical: 'critical|Blocker|P0|p-0|MUST|**Critical**|Severity: critical|must not',
      major: 'High|[major]|P1|P2|SHOULD|medium|Medium Severity|priority: high|warning',
      minor: 'low|nit|Nit:|info|P3|MAY|minor|suggestion|Optional',
    };
    for (const [severity, all] of Object.entries(known))
      for (const word of all.split('|')) expect(severityOf(word), word).toMatchObject({ severity });
  });

  it('are never guessed', () => {
    const odd = '|severity|high or low|not critical|P9|maybe|criticality|constructor|__proto__';
    for (const text of [...odd.split('|'), 'x'.repeat(500)])
      expect(severityOf(text), text).toEqual({ kind: 'unknown', text });
    expect(severityOf(3 as never)).toEqual({ kind: 'unknown', text: 3 });
    expect(countSeverities(['High', 'odd', 'nit'])).toEqual({
      counts: { critical: 0, major: 1, minor: 1 },
      unknown: ['odd'],
    });
  });

  it('answer to any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['known', 'unknown']).toContain(severityOf(text).kind);
      }),
    );
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
