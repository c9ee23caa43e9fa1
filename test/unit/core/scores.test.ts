import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/core/assessment.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import type { GapCategory } from '../../../src/core/gap.js';
import { scoresOf, specifiedScores } from '../../../src/core/scores.js';

const judged = (
  criterion: string,
  score: number,
  category: GapCategory = 'quality',
): Assessment => ({
  verdict: score >= 0.5 ? 'pass' : 'fail',
  criterion,
  score,
  explanation: '',
  gaps: [],
  category,
});
const skipped: Assessment = { verdict: 'skipped', criterion: 'skipped', reason: 'why' };
const undecided: Assessment = {
  verdict: 'undecided',
  criterion: 'requirement:open',
  reason: 'no check could decide it',
  decidableBy: ['person'],
};
const errored: Assessment = {
  verdict: 'errored',
  criterion: 'errored',
  error: new ReviewLoopError('timeout', 'late'),
};

describe('scoresOf', () => {
  it('quality is the mean of the judged criteria, 1 as specified when there are none [SR-76, D004-08]', () => {
    expect(scoresOf([judged('a', 1), judged('b', 0.5), judged('c', 0)]).quality).toBe(0.5);
    expect(specifiedScores(scoresOf([])).quality).toBe(1);
    expect(specifiedScores(scoresOf([judged('requirement:a', 1)])).quality).toBe(1);
  });

  it('is unknown, and neither 0 nor 1, where nothing was judged [R2-009]', () => {
    const nothing = { quality: null, completeness: null, correctness: null, overall: null };
    expect(scoresOf([])).toMatchObject(nothing);
    expect(scoresOf([errored])).toMatchObject(nothing);
    expect(scoresOf([skipped, undecided])).toMatchObject(nothing);
    expect(specifiedScores(scoresOf([skipped, undecided]))).toMatchObject({
      quality: 0,
      completeness: 0,
      overall: 0,
    });
  });

  it('has its denominators: what was met, what was judged, and how many there are [R2-009]', () => {
    expect(
      scoresOf([judged('a', 1), judged('b', 0), skipped, judged('requirement:a', 1), undecided]),
    ).toMatchObject({
      quality: 0.5,
      completeness: null,
      soFar: { completeness: 1 },
      criteria: { met: 1, judged: 2, total: 3 },
      requirements: { met: 1, judged: 1, total: 2 },
    });
  });

  it('completeness is covered of all requirements, 1 as specified when there are none [SR-77]', () => {
    expect(
      scoresOf([
        judged('requirement:a', 1),
        judged('requirement:b', 0),
        judged('requirement:c', 1),
        judged('a', 0),
      ]).completeness,
    ).toBe(2 / 3);
    expect(specifiedScores(scoresOf([judged('a', 0)])).completeness).toBe(1);
  });

  it('a requirement that was not judged is not covered', () => {
    expect(
      scoresOf([judged('requirement:a', 1), { ...skipped, criterion: 'requirement:b' }])
        .completeness,
    ).toBe(1 / 2);
    expect(
      scoresOf([judged('requirement:a', 1), { ...errored, criterion: 'requirement:c' }]),
    ).toMatchObject({
      completeness: null,
      soFar: { completeness: 1 / 2 },
    });
  });

  it('correctness is the share of the incorrect criteria that did not fail [D004-07, SR-78]', () => {
    expect(scoresOf([judged('a', 0, 'incorrect'), judged('b', 1, 'incorrect')]).correctness).toBe(
      0.5,
    );
    expect(scoresOf([judged('a', 0, 'incorrect')]).correctness).toBe(0);
    expect(specifiedScores(scoresOf([judged('a', 0)])).correctness).toBe(1);
    expect(specifiedScores(scoresOf([])).correctness).toBe(1);
  });

  it('three further gaps do not make one incorrect gap look better [D004-07]', () => {
    const alone = [judged('a', 0, 'incorrect')];
    const crowded = [
      ...alone,
      judged('b', 0),
      judged('c', 0, 'missing'),
      judged('d', 0, 'incomplete'),
    ];
    expect(scoresOf(crowded).correctness).toBe(scoresOf(alone).correctness);
  });

  it('overall weighs quality, completeness and correctness 0.4, 0.4 and 0.2; quality stays itself [SR-79, D004-08]', () => {
    const scores = scoresOf([
      judged('a', 1, 'incorrect'),
      judged('b', 0, 'incorrect'),
      judged('requirement:a', 1),
      judged('requirement:b', 0),
      judged('requirement:c', 0),
      judged('requirement:d', 0),
    ]);
    expect(scores).toMatchObject({ quality: 0.5, completeness: 0.25, correctness: 0.5 });
    expect(scores.overall).toBe(0.4);
  });

  it('weights can be chosen, and only their ratios matter [D004-08]', () => {
    const found = [judged('a', 1), judged('requirement:a', 0)];
    expect(scoresOf(found, { quality: 1, completeness: 0, correctness: 0 }).overall).toBe(1);
    expect(scoresOf(found, { quality: 0, completeness: 3, correctness: 0 }).overall).toBe(0);
    expect(scoresOf(found, { quality: 4, completeness: 4, correctness: 2 }).overall).toBe(
      scoresOf(found).overall,
    );
  });

  it('tells how many of how many were judged', () => {
    expect(scoresOf([judged('a', 1), skipped, errored, judged('requirement:a', 0)])).toMatchObject({
      judged: 2,
      total: 4,
    });
  });

  it('sums without the noise of binary fractions', () => {
    expect(specifiedScores(scoresOf([judged('a', 0.7), judged('b', 0.9)])).overall).toBe(0.92);
    expect(scoresOf([judged('a', 1)]).overall).toBe(1);
  });
});
