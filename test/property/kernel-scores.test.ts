import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../src/core/assessment.js';
import { ReviewLoopError } from '../../src/core/errors.js';
import type { UndecidedReview } from '../../src/core/policy.js';
import { keepBest } from '../../src/core/ranking.js';
import { scoresOf } from '../../src/core/scores.js';

fc.configureGlobal({ seed: 21, numRuns: 500 });

const category = fc.constantFrom('missing', 'incorrect', 'incomplete', 'quality');
const assessment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      verdict: fc.constantFrom('pass', 'fail'),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      explanation: fc.constant(''),
      gaps: fc.constant([]),
      category,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ verdict: fc.constant('skipped'), reason: fc.constant('why') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verdict: fc.constant('errored'),
      error: fc.constant(new ReviewLoopError('timeout', 'late')),
    }),
  },
);
const criteria = ['a', 'b', 'c', 'requirement:a', 'requirement:b'];
const assessments: fc.Arbitrary<Assessment[]> = fc
  .subarray(criteria)
  .chain((names) =>
    fc.tuple(
      ...names.map((criterion) =>
        assessment.map((given) => ({ ...given, criterion }) as Assessment),
      ),
    ),
  );
const finding: fc.Arbitrary<UndecidedReview> = assessments.map((found) => ({
  iteration: 1,
  version: 'v',
  assessments: found,
  gaps: [],
  fixed: [],
  scores: scoresOf(found),
  complete: true,
  usage: {},
  durationMs: 0,
  at: '',
}));

describe('scores', () => {
  it('are all between 0 and 1, and count what was judged', () => {
    fc.assert(
      fc.property(assessments, (found) => {
        const { quality, completeness, correctness, overall, judged, total } = scoresOf(found);
        for (const score of [quality, completeness, correctness, overall])
          expect(score === null || (score >= 0 && score <= 1)).toBe(true);
        expect(judged <= total && total === found.length).toBe(true);
      }),
    );
  });

  it('a further failed criterion never raises correctness, nor a requirement that is not covered completeness [D004-07]', () => {
    fc.assert(
      fc.property(assessments, category, (found, kind) => {
        const failed: Assessment = {
          verdict: 'fail',
          criterion: 'new',
          score: 0,
          explanation: '',
          gaps: [],
          category: kind,
        };
        const before = scoresOf(found);
        const after = scoresOf([...found, failed]);
        const more = scoresOf([...found, { ...failed, criterion: 'requirement:new' }]);
        expect(after.correctness ?? 0).toBeLessThanOrEqual(before.correctness ?? 1);
        expect(after.overall ?? 0).toBeLessThanOrEqual((before.overall ?? 1) + 1e-12);
        expect(more.completeness ?? 0).toBeLessThanOrEqual(before.completeness ?? 1);
      }),
    );
  });
});

describe('keepBest', () => {
  const better = keepBest();
  const careful = keepBest({ protect: ['a', 'requirement:a'] });

  it('never replaces a version by its equal, nor two versions by each other', () => {
    fc.assert(
      fc.property(finding, finding, (a, b) => {
        expect(better(a, a)).toBe(false);
        expect(better(a, b) && better(b, a)).toBe(false);
      }),
    );
  });

  it('keeps the incumbent on a tie, and where the challenger is not scored on all it was scored on', () => {
    fc.assert(
      fc.property(finding, finding, (challenger, incumbent) => {
        const scored = (found: UndecidedReview): string[] =>
          found.assessments
            .filter(({ verdict }) => verdict === 'pass' || verdict === 'fail')
            .map(({ criterion }) => criterion);
        const whole = scored(incumbent).every((criterion) =>
          scored(challenger).includes(criterion),
        );
        const shared =
          scored(incumbent).length === scored(challenger).length
            ? undefined
            : new Set(scored(incumbent));
        const overall = ({ assessments: all, scores }: UndecidedReview): number =>
          shared === undefined
            ? (scores.overall ?? -1)
            : (scoresOf(all.filter(({ criterion }) => shared.has(criterion))).overall ?? -1);
        expect(better(challenger, incumbent)).toBe(
          whole && overall(challenger) > overall(incumbent),
        );
      }),
    );
  });

  it('lets no challenger win that turned a protected criterion from pass', () => {
    fc.assert(
      fc.property(finding, finding, (challenger, incumbent) => {
        const passed = (found: UndecidedReview, id: string): boolean =>
          found.assessments.some(
            ({ criterion, verdict }) => criterion === id && verdict === 'pass',
          );
        const harmed = ['a', 'requirement:a'].some(
          (id) => passed(incumbent, id) && !passed(challenger, id),
        );
        if (harmed) expect(careful(challenger, incumbent)).toBe(false);
        else expect(careful(challenger, incumbent)).toBe(better(challenger, incumbent));
      }),
    );
  });
});
