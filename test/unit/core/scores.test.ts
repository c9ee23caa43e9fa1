import { describe, expect, it } from 'vitest';
import type { Assessment } from '@/core/assessment.js';
import { ReviewLoopError } from '@/core/errors.js';
import {
  bySeverity,
  type GapCategory,
  GapSeveritySchema,
  type Severity,
  severityAtLeast,
} from '@/core/gap.js';
import { scoreBelow, scoreText } from '@/core/score-text.js';
import { checkedWeights, scoresOf, specifiedScores } from '@/core/scores.js';
import {
  levelOfScore,
  levelRank,
  QualityLevelSchema,
} from '@/products/reviewer-stage/quality-level.js';
import { err, fail, pass } from '../engine/policies/fixtures.js';

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

const openQuestion: Assessment = {
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

  it.each<[string, readonly Assessment[], boolean, boolean]>([
    ['a verdict', [judged('a', 1)], false, false],
    ['no verdict', [openQuestion], true, false],
    ['a verdict beside an open requirement', [judged('a', 1), openQuestion], true, true],
    ['one beside as many of each', [judged('a', 1), openQuestion, errored], true, true],
  ])('of %s is unknown while one is open, and so far what is judged', (_, all, unknown, soFar) => {
    const scores = scoresOf(all);
    expect([scores.overall === null, 'soFar' in scores]).toEqual([unknown, soFar]);
  });

  it('is unknown, and neither 0 nor 1, where nothing was judged [R2-009]', () => {
    const nothing = { quality: null, completeness: null, correctness: null, overall: null };
    expect(scoresOf([])).toMatchObject(nothing);
    expect(scoresOf([errored])).toMatchObject(nothing);
    expect(scoresOf([skipped, openQuestion])).toMatchObject(nothing);
    expect(specifiedScores(scoresOf([skipped, openQuestion]))).toMatchObject({
      quality: 0,
      completeness: 0,
      overall: 0,
    });
  });

  it('has its denominators: what was met, what was judged, and how many there are [R2-009]', () => {
    expect(
      scoresOf([judged('a', 1), judged('b', 0), skipped, judged('requirement:a', 1), openQuestion]),
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
    ).toMatchObject({ completeness: null, soFar: { completeness: 1 / 2 } });
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

describe('scores', () => {
  it('weights are numbers from 0, one of them above 0', () => {
    expect(checkedWeights({})).toEqual({ quality: 0.4, completeness: 0.4, correctness: 0.2 });
    expect(checkedWeights({ quality: 0, completeness: 0, correctness: 1 })).toEqual({
      quality: 0,
      completeness: 0,
      correctness: 1,
    });
    expect(checkedWeights({ quality: 1, completeness: 1, correctness: 2 })).toMatchObject({
      quality: 1,
    });
    for (const name of ['quality', 'completeness', 'correctness'])
      for (const weight of [-1, Number.NaN, Infinity, '1'])
        expect(() => checkedWeights({ [name]: weight })).toThrow(`\`weights.${name}\``);
    expect(() => checkedWeights({ quality: 0, completeness: 0, correctness: 0 })).toThrow(
      '`weights`',
    );
    expect(() => checkedWeights({ x: 1 } as object)).toThrow(
      'weights has no option `x`; it has quality, completeness, correctness',
    );
  });

  it('a comparison and an unanswered requirement are counted, and change no score', () => {
    const compared = {
      ...pass('pairwise', 0.1),
      comparison: { with: 1, result: 'worse', flipped: false },
    } as never;
    const open = {
      verdict: 'undecided',
      criterion: 'requirement:1',
      reason: 'r',
      decidableBy: [],
    } as never;
    expect(scoresOf([pass('a', 0.5), compared, open])).toMatchObject({
      quality: 0.5,
      completeness: null,
      overall: null,
      soFar: { completeness: null },
      judged: 1,
      total: 3,
      criteria: { met: 1, judged: 1, total: 1 },
      requirements: { met: 0, judged: 0, total: 1 },
    });
    expect(scoresOf([pass('requirement:1'), fail('requirement:2'), open])).toMatchObject({
      completeness: null,
      soFar: { completeness: 0.5 },
      requirements: { met: 1, judged: 2, total: 3 },
    });
    expect(scoresOf([open])).toMatchObject({ overall: null, quality: null, completeness: null });
  });

  it('weights change the overall score, and unknown parts are left out', () => {
    expect(
      scoresOf([pass('a', 0.5)], { quality: 1, completeness: 0, correctness: 0 }).overall,
    ).toBe(0.5);
    expect(
      scoresOf([pass('a', 0.5)], { quality: 0, completeness: 1, correctness: 1 }).overall,
    ).toBe(1);
    expect(scoresOf([pass('a', 0.5), err('requirement:1')])).toMatchObject({
      overall: null,
      soFar: { completeness: null, overall: 0.666666666667 },
    });
    expect(
      scoresOf([pass('a', 0.5), err('requirement:1')], {
        quality: 0,
        completeness: 1,
        correctness: 0,
      }).overall,
    ).toBeNull();
  });

  it('incorrect findings count as correctness', () => {
    const wrong = { ...fail('a', {}, 0.5), category: 'incorrect' } as never;
    const right = { ...pass('b'), category: 'incorrect' } as never;
    expect(scoresOf([wrong, right]).correctness).toBe(0.5);
    expect(scoresOf([pass('b')]).correctness).toBeNull();
  });

  it('the self-review loop takes 1 for what does not exist, and 0 for what nobody judged', () => {
    expect(specifiedScores(scoresOf([]))).toMatchObject({
      quality: 1,
      completeness: 1,
      correctness: 1,
      overall: 1,
    });
    expect(specifiedScores(scoresOf([err('a'), err('requirement:1')]))).toMatchObject({
      quality: 0,
      completeness: 0,
      overall: 0,
    });
    expect(specifiedScores(scoresOf([pass('a', 0.5)]))).toMatchObject({
      quality: 0.5,
      completeness: 1,
    });
  });

  it('are rounded to two decimals for people, and to more where the bar would look reached', () => {
    expect([0.7996, 0.29, 0.9999, 1, 0, null].map(scoreText)).toEqual([
      '0.80',
      '0.29',
      '0.99',
      '1.00',
      '0.00',
      'unknown',
    ]);
    expect(scoreBelow('score', 0.5, 0.8)).toBe('score 0.50 is below 0.80');
    expect(scoreBelow('score', 0.7996, 0.8)).toBe('score 0.7996 is below 0.8000');
    expect(scoreBelow('score', 0.8001, 0.8002)).toBe('score 0.8001 is below 0.8002');
  });
});

it('a score that is hardly below its bar is told with as many decimals as show it, and twelve at most', () => {
  expect(scoreBelow('overall', 0.5, 0.8)).toBe('overall 0.50 is below 0.80');
  expect(scoreBelow('overall', 0.7996, 0.8)).toBe('overall 0.7996 is below 0.8000');
  expect(scoreBelow('overall', 0.8 - 1e-15, 0.8)).toBe(
    'overall 0.800000000000 is below 0.800000000000',
  );
});

describe('severity', () => {
  it('is critical, major or minor [SR-17]', () => {
    expect(GapSeveritySchema.options).toEqual(['critical', 'major', 'minor']);
    expect(GapSeveritySchema.safeParse('blocker').success).toBe(false);
  });

  it('sorts the worst first', () => {
    const gaps = (['minor', 'critical', 'major', 'critical'] as const).map((severity) => ({
      severity,
    }));
    expect(gaps.sort(bySeverity).map(({ severity }) => severity)).toEqual([
      'critical',
      'critical',
      'major',
      'minor',
    ]);
  });

  it.each<[Severity, Severity, boolean]>([
    ['critical', 'minor', true],
    ['major', 'major', true],
    ['minor', 'minor', true],
    ['major', 'critical', false],
    ['minor', 'major', false],
  ])('%s reaches the floor %s: %s', (severity, floor, reaches) => {
    expect(severityAtLeast(severity, floor)).toBe(reaches);
  });
});

describe('quality levels', () => {
  it('have explicit ranks, and no alphabetical order [D003-16]', () => {
    expect(QualityLevelSchema.options.map((level) => [level, levelRank(level)])).toEqual([
      ['poor', 0],
      ['needs_work', 1],
      ['acceptable', 2],
      ['good', 3],
      ['excellent', 4],
    ]);
  });

  it.each([
    [0, 'poor'],
    [0.19, 'poor'],
    [0.2, 'needs_work'],
    [0.39, 'needs_work'],
    [0.4, 'acceptable'],
    [0.6, 'good'],
    [0.79, 'good'],
    [0.8, 'excellent'],
    [1, 'excellent'],
  ] as const)('a score of %s is %s', (score, level) => {
    expect(levelOfScore(score)).toBe(level);
  });

  it('takes nothing that is no score for a good level', () => {
    expect([Number.NaN, -1].map(levelOfScore)).toEqual(['poor', 'poor']);
  });
});
