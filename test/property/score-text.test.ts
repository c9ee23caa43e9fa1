import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scoreBelow, scoreText } from '@/core/score-text.js';
import { scoreTexts } from '@/faces/reports/score-text.js';

const share = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 40 })).map(([a, b]) => Math.min(a, b) / b),
);
const checks = { met: 4, judged: 4, total: 4 };

it('a score reads alike on the screen, in reasons and reports [R2-088]', () => {
  fc.assert(
    fc.property(share, (score) => {
      const given = { quality: score, completeness: score, correctness: score, overall: score };
      const texts = scoreTexts({
        ...{ judged: 2, total: 2 },
        ...given,
        criteria: checks,
        requirements: checks,
      });
      const text = scoreText(score);
      expect(texts.overall).toBe(text);
      expect(texts.quality).toBe(`${text} (4 of 4 checks judged)`);
    }),
  );
  expect([2 / 3, 0.757, 0.9999, 1, 0.7996].map(scoreText)).toEqual([
    '0.67',
    '0.76',
    '0.99',
    '1.00',
    '0.80',
  ]);
});

it('no text about a bar contradicts the comparison [R2-088]', () => {
  fc.assert(
    fc.property(share, share, (one, other) => {
      // closer numbers are equal for people
      fc.pre(Math.abs(one - other) > 1e-11);
      const [score, bar] = one < other ? [one, other] : [other, one];
      const [, shown, shownBar] =
        /^q (\S+) is below (\S+)$/.exec(scoreBelow('q', score, bar)) ?? [];
      expect(Number(shown)).toBeLessThan(Number(shownBar));
      expect(Number(scoreText(score))).toBeLessThanOrEqual(Number(scoreText(bar)));
    }),
    { numRuns: 2000 },
  );
});
