import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Assessment, QualityScorer, type RequirementCoverage } from '../../../src/index.js';

const judged = (
  criterion: string,
  score: number,
  category: 'incorrect' | 'quality' = 'quality',
  verdict: 'pass' | 'fail' = score >= 0.5 ? 'pass' : 'fail',
): Assessment => ({
  verdict,
  criterion,
  score,
  explanation: '',
  gaps: [],
  category,
});
const covered = (requirement: string, is: boolean): RequirementCoverage => ({
  requirement,
  source: 'explicit',
  covered: is,
  coverageDetails: '',
  confidence: 1,
});

describe('QualityScorer', () => {
  it('mean of criteria, share of requirements, weighted 0.4, 0.4, 0.2 [SR-13, SR-76, SR-77, SR-79, SR-130]', () => {
    const scores = new QualityScorer().score({
      assessments: [judged('a', 1), judged('b', 0)],
      coverage: [covered('x', true), covered('y', true), covered('z', false), covered('w', true)],
    });
    expect(scores).toMatchObject({
      quality: 0.5,
      completeness: 0.75,
      correctness: 1,
      overall: 0.7,
    });
  });

  it('correctness is counted over the criteria of that kind, so another gap never raises it [SR-78] [D004-07]', () => {
    const scorer = new QualityScorer();
    const one = [judged('a', 0, 'incorrect'), judged('b', 1, 'incorrect')];
    expect(scorer.score({ assessments: one, coverage: [] }).correctness).toBe(0.5);
    expect(
      scorer.score({ assessments: [...one, judged('c', 0), judged('d', 0)], coverage: [] })
        .correctness,
    ).toBe(0.5);
    expect(scorer.score({ assessments: [judged('c', 0)], coverage: [] }).correctness).toBe(1);
  });

  it('correctness is the formula that the page gives where it differs [R3-033]', async () => {
    const page = await readFile('docs/blocks/self-review-loop.md', 'utf8');
    expect(page.split('## Where it differs')[1]).toMatch(
      /\*\*Correctness\.\*\* .*1 minus the failed share of the criteria of that category\./s,
    );
    const criteria = ['a', 'b', 'c', 'd', 'e'];
    const assessments = criteria.map((id, at) => judged(id, at < 2 ? 0 : 1, 'incorrect'));
    expect(new QualityScorer().score({ assessments, coverage: [] }).correctness).toBe(0.6);
  });

  it('quality is the score of the criteria, overall the weighted one, and weights can be chosen [D004-08]', () => {
    const found = { assessments: [judged('a', 0.5)], coverage: [covered('x', false)] };
    expect(new QualityScorer().score(found)).toMatchObject({ quality: 0.5, overall: 0.4 });
    expect(
      new QualityScorer({ weights: { quality: 1, completeness: 0, correctness: 0 } }).score(found)
        .overall,
    ).toBe(0.5);
  });

  it('without criteria or requirements their score is 1, and what was judged is told [SR-76, SR-77]', () => {
    expect(new QualityScorer().score({ assessments: [], coverage: [] })).toMatchObject({
      quality: 1,
      completeness: 1,
      correctness: 1,
      overall: 1,
      judged: 0,
      total: 0,
    });
    expect(
      new QualityScorer().score({
        assessments: [{ verdict: 'skipped', criterion: 'a', reason: 'r' }],
        coverage: [],
      }),
    ).toMatchObject({ quality: 0, judged: 0, total: 1 });
  });

  it('counts requirements once, also when they are assessments already', () => {
    const requirement: Assessment = {
      ...judged('requirement:x', 0),
      verdict: 'fail',
      coverage: covered('x', false),
    } as Assessment;
    expect(
      new QualityScorer().score({
        assessments: [requirement, judged('a', 1)],
        coverage: [covered('x', false)],
      }),
    ).toMatchObject({ completeness: 0, quality: 1, total: 2 });
  });

  it.each([
    [{ quality: -1 }],
    [{ quality: 0, completeness: 0, correctness: 0 }],
    [{ quality: Number.NaN }],
  ])('refuses %o', (weights) => {
    expect(() => new QualityScorer({ weights })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});
