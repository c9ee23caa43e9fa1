import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assessment } from '@/core/assessment.js';
import { ReviewLoopError } from '@/core/errors.js';
import { severityRank } from '@/core/gap.js';
import type { UndecidedReview } from '@/core/policy.js';
import { keepBest, type Ranking } from '@/core/ranking.js';
import { overallSoFar, scoresOf } from '@/core/scores.js';
import { err, fail, gone, pass, reviewOf, skip } from '../unit/engine/policies/fixtures.js';

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

  it('keeps the incumbent on a tie, and where the challenger did not answer all that it answered', () => {
    fc.assert(
      fc.property(finding, finding, (challenger, incumbent) => {
        const answered = (found: UndecidedReview): Map<string, string> =>
          new Map(
            found.assessments
              .filter(({ verdict }) => verdict === 'pass' || verdict === 'fail')
              .map(({ criterion, verdict }) => [criterion, verdict]),
          );
        const [now, before] = [answered(challenger), answered(incumbent)];
        const shared = now.size === before.size ? undefined : before;
        const fails = (all: Map<string, string>): number =>
          [...all].filter(([id, verdict]) => verdict === 'fail' && before.has(id)).length;
        const overall = ({ assessments: all, scores }: UndecidedReview): number =>
          (shared === undefined
            ? overallSoFar(scores)
            : scoresOf(all.filter(({ criterion }) => shared.has(criterion))).overall) ?? -1;
        const fewer = fails(now) - fails(before);
        expect(better(challenger, incumbent)).toBe(
          [...before.keys()].every((id) => now.has(id)) &&
            (fewer === 0 ? overall(challenger) > overall(incumbent) : fewer < 0),
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

/** Versions of one work: each criterion has its severity; what a version lost does not apply to it. */
const severities = {
  a: 'critical',
  b: 'major',
  c: 'minor',
  d: 'major',
  'requirement:e': 'major',
} as const;
const some = fc.double({ min: 0.01, max: 1, noNaN: true });
const ids = Object.keys(severities);
const versionsOf = (...verdicts: readonly string[]): fc.Arbitrary<UndecidedReview> =>
  fc.tuple(...ids.map(() => fc.tuple(fc.constantFrom(...verdicts), some))).map((given) =>
    reviewOf(
      Object.entries(severities).map(([id, severity], index) => {
        const [verdict, score] = given[index] ?? ['err', 0];
        if (verdict === 'pass') return pass(id, score);
        if (verdict === 'fail') return fail(id, { severity }, score / 2);
        return verdict === 'gone' ? gone(id) : verdict === 'skip' ? skip(id) : err(id);
      }),
    ),
  );
const version = versionsOf('pass', 'fail', 'gone', 'skip', 'err');
/** Versions about which each criterion said something. */
const answered = versionsOf('pass', 'fail', 'gone');

const verdictOf = (found: UndecidedReview, id: string): string => {
  const one = found.assessments.find(({ criterion }) => criterion === id);
  return one?.verdict === 'skipped' && one.notApplicable ? 'gone' : (one?.verdict ?? 'none');
};

/** Fails less: a part of what the other fails, and the rest passes or is gone. Nothing is left unanswered. */
function failsLess(one: UndecidedReview, other: UndecidedReview): boolean {
  const failed = ids.filter((id) => verdictOf(other, id) === 'fail');
  const rest = failed.filter((id) => verdictOf(one, id) !== 'fail');
  return (
    rest.length > 0 &&
    rest.every((id) => ['pass', 'gone'].includes(verdictOf(one, id))) &&
    ids.every((id) => verdictOf(one, id) !== 'fail' || failed.includes(id)) &&
    ids.every((id) => !['skipped', 'errored'].includes(verdictOf(one, id)))
  );
}

function neverBelow(ranking: Ranking): void {
  fc.assert(
    fc.property(answered, version, (one, other) => {
      if (!failsLess(one, other)) return;
      expect(ranking(other, one)).toBe(false);
      const isKept = verdictOf(one, 'requirement:e') !== 'gone';
      if (isKept && one.scores.judged > 0) expect(ranking(one, other)).toBe(true);
    }),
  );
}

function noCycle(ranking: Ranking): void {
  fc.assert(
    fc.property(version, version, version, version, (...four) => {
      let best = four[0];
      const past = [best];
      for (const next of [...four, ...four, ...four])
        if (ranking(next, best)) {
          best = next;
          expect(past.includes(best)).toBe(false);
          past.push(best);
        }
    }),
  );
  fc.assert(
    fc.property(answered, answered, answered, (a, b, c) => {
      if (ranking(a, b) && ranking(b, c)) expect(ranking(a, c)).toBe(true);
      if ([a, b, c].some((one) => verdictOf(one, 'requirement:e') === 'gone')) return;
      if (!ranking(a, b) && !ranking(b, a) && !ranking(b, c) && !ranking(c, b))
        expect(ranking(a, c)).toBe(false);
    }),
  );
}

function noDodging(ranking: Ranking): void {
  fc.assert(
    fc.property(version, version, (one, other) => {
      const dodged = ids.some(
        (id) =>
          ['pass', 'fail'].includes(verdictOf(other, id)) &&
          ['skipped', 'errored'].includes(verdictOf(one, id)),
      );
      const isEmpty = one.scores.judged === 0 && other.scores.judged > 0;
      if (dodged || isEmpty) expect(ranking(one, other)).toBe(false);
    }),
  );
}

describe('the order of keepBest [R3-026]', () => {
  const order = keepBest();

  it('never ranks a version below one that fails more', () => neverBelow(order));
  it('has no circle, and is one order where all was answered', () => noCycle(order));
  it('is won by nobody who dodges a judge, or has nothing left', () => noDodging(order));

  it('saboteur: a score for every criterion, or skips that count as answers, break it', () => {
    const judged = (found: UndecidedReview) =>
      ids.filter((id) => ['pass', 'fail'].includes(verdictOf(found, id)));
    const byScore: Ranking = (one, other) =>
      judged(other).every((id) => judged(one).includes(id)) &&
      (overallSoFar(one.scores) ?? -1) > (overallSoFar(other.scores) ?? -1);
    expect(() => neverBelow(byScore)).toThrow();
    const worst = ({ gaps }: UndecidedReview) =>
      Math.max(0, ...gaps.map(({ severity }) => severityRank(severity) + 1));
    const bySeverity: Ranking = (one, other) => worst(one) < worst(other);
    expect(() => noDodging(bySeverity)).toThrow();
    const byTurns: Ranking = (one, other) =>
      (judged(one).length + 1) % 3 === judged(other).length % 3;
    expect(() => noCycle(byTurns)).toThrow();
  });
});
