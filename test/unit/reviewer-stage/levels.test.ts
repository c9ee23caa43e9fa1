import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/core/assessment.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { modelErrors } from '../../../src/model/errors.js';
import { checklistResult } from '../../../src/reviewer-stage/dimensions/checklist-result.js';
import { levelAtLeast } from '../../../src/reviewer-stage/level-at-least.js';
import {
  levelOfIssues,
  levelOfScore,
  levelRank,
  type QualityLevel,
  scoreOfLevel,
} from '../../../src/reviewer-stage/quality-level.js';

const levels: readonly QualityLevel[] = ['poor', 'needs_work', 'acceptable', 'good', 'excellent'];

describe('levels of quality', () => {
  it('have a rank and a score, which leads back to them', () => {
    expect(levels.map(levelRank)).toEqual([0, 1, 2, 3, 4]);
    expect(levels.map(scoreOfLevel)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(levels.map((level) => levelOfScore(scoreOfLevel(level)))).toEqual(levels);
    expect([0.19, 0.2, 0.39, 0.4, 0.59, 0.6, 0.79, 0.8, 1, -1].map(levelOfScore)).toEqual([
      ...['poor', 'needs_work', 'needs_work', 'acceptable', 'acceptable', 'good', 'good'],
      ...['excellent', 'excellent', 'poor'],
    ]);
  });

  it('follow from the severity and the number of issues; an issue without one is major', () => {
    const of = (...severities: ('critical' | 'major' | 'minor' | undefined)[]) =>
      levelOfIssues(severities.map((severity) => ({ severity })));
    expect(of()).toBe('excellent');
    expect(of('minor', 'minor')).toBe('good');
    expect(of('minor', 'minor', 'minor')).toBe('acceptable');
    expect(of(undefined)).toBe('needs_work');
    expect(of('major', 'critical')).toBe('poor');
  });
});

const judged = (
  criterion: string,
  level: QualityLevel,
  verdict: 'pass' | 'fail' = 'pass',
): Assessment => ({
  ...{ verdict, criterion, score: scoreOfLevel(level), explanation: '', gaps: [] },
});
const skipped = (criterion: string): Assessment => ({
  ...{ verdict: 'skipped', criterion, reason: 'not asked' },
});
const errored = (criterion: string): Assessment => ({
  ...{ verdict: 'errored', criterion },
  error: new ReviewLoopError(modelErrors.answer_empty, 'no answer'),
});
const open = (criterion: string): Assessment => ({
  ...{ verdict: 'undecided', criterion, reason: 'unclear', decidableBy: ['person'] },
});

/** The decision about a review that a planner could go on with. */
function decide(
  assessments: readonly Assessment[],
  level: QualityLevel = 'good',
  overrides?: Record<string, QualityLevel>,
) {
  const gaps = assessments.flatMap(({ criterion, verdict }) =>
    verdict === 'skipped'
      ? []
      : [{ id: criterion, criterionId: criterion, severity: 'minor', autoFixable: true }],
  );
  const review = { iteration: 1, version: 'v', assessments, gaps, scores: { overall: 1 } };
  const policy = levelAtLeast(level, overrides);
  return policy({ review, best: review, history: [] } as unknown as Parameters<typeof policy>[0]);
}

describe('a policy of levels', () => {
  it('approves what reaches the level in everything, and names what was judged', () => {
    expect(decide([judged('a', 'good'), judged('b', 'excellent')])).toEqual({
      ...{ kind: 'approve', reason: 'every criterion is good or better' },
    });
    expect(decide([judged('a', 'acceptable'), skipped('b')], 'acceptable')).toEqual({
      kind: 'approve',
      reason: '1 of 2 criteria were judged (a), and are acceptable or better',
    });
  });

  it('revises what is lower, or failed its own check, and nothing else', () => {
    expect(decide([judged('a', 'good'), judged('b', 'acceptable')])).toMatchObject({
      ...{ kind: 'revise', reason: 'b is acceptable', blocking: [{ id: 'b' }] },
    });
    expect(decide([judged('a', 'excellent', 'fail'), judged('b', 'poor')])).toMatchObject({
      ...{ kind: 'revise', reason: 'a is excellent, b is poor' },
      blocking: [{ id: 'a' }, { id: 'b' }],
    });
  });

  it('has other levels for some criteria', () => {
    const given = [judged('a', 'acceptable'), judged('b', 'good')];
    expect(decide(given, 'good', { a: 'acceptable' })).toMatchObject({ kind: 'approve' });
    expect(decide(given, 'acceptable', { b: 'excellent' })).toMatchObject({ reason: 'b is good' });
    expect(decide([judged('toString', 'good')], 'good', {})).toMatchObject({ kind: 'approve' });
    for (const wrong of [['fine'], ['good', { a: 'fine' }]] as unknown as [QualityLevel][])
      expect(() => levelAtLeast(...wrong)).toThrow(
        expect.objectContaining({ code: 'invalid_options' }),
      );
  });

  it('stops where a judge failed, and says what the others said', () => {
    const stop = decide([
      errored('a'),
      judged('b', 'good'),
      judged('c', 'poor', 'fail'),
      skipped('d'),
      open('e'),
    ]);
    expect(stop?.kind).toBe('stop');
    expect(stop?.reason).toMatch(
      /; b passed, c failed its check, d was skipped: not asked, e is undecided$/,
    );
    expect(decide([errored('a')])?.reason).not.toContain(';');
    const nothing = decide([skipped('a'), skipped('b')]);
    expect(nothing?.kind).toBe('stop');
    expect(nothing?.reason).not.toContain('was skipped: not asked, b');
  });
});

describe('the result of a checklist', () => {
  type Verdict = Parameters<typeof checklistResult>[2][number];
  const yes = (reason: string) => ({ kind: 'yes', reason }) as Verdict;
  const none = (reason: string) => ({ kind: 'not_applicable', reason }) as Verdict;
  const no = (reason: string, findings: object[] = [], dropped = 0) =>
    ({ kind: 'no', reason, findings, dropped }) as unknown as Verdict;
  const codeOf = (...args: Parameters<typeof checklistResult>): unknown => {
    try {
      return checklistResult(...args);
    } catch (error) {
      return (error as ReviewLoopError).code;
    }
  };

  it('is none while a question is open, or if no question concerns the work', () => {
    const open = { kind: 'undecided', problem: 'question 2' } as Verdict;
    expect(codeOf('own', [], [yes('a'), open])).toBe('answer_mismatch');
    expect(codeOf('own', [], [none('a')])).toBe('reviewer_invalid');
    expect(codeOf('own', [{ message: 'x' }], [none('a')])).toMatchObject({ level: 'needs_work' });
  });

  it('explains with the reasons for issues, or else with all reasons, each once', () => {
    expect(
      checklistResult('own', [], [yes(' fine '), yes('fine'), none(''), yes('quick')]),
    ).toEqual({
      ...{ level: 'excellent', explanation: 'fine quick', issues: [] },
    });
    const finding = { description: 'thin', severity: 'minor' };
    expect(
      checklistResult(
        'own',
        [{ message: 'a key', severity: 'critical' }],
        [yes('fine'), no('too thin', [finding], 2), no('too thin', [], 1)],
      ),
    ).toEqual({
      ...{ level: 'poor', explanation: 'a key too thin (3 unverified: the quote does not occur.)' },
      issues: [
        { message: 'a key', severity: 'critical' },
        { message: 'thin', severity: 'minor' },
      ],
    });
    expect(checklistResult('own', [], [no('not so'), yes('fine')])).toMatchObject({
      ...{ level: 'excellent', explanation: 'not so fine' },
    });
  });

  it('has issues with what is known of them', () => {
    const { issues } = checklistResult(
      'own',
      [],
      [
        no('x', [
          { description: 'one', file: 'a.ts', line: 3, suggestedFix: 'do', evidence: 'quote' },
          { description: 'two', file: 'b.ts', severity: 'minor' },
          { description: 'three' },
        ]),
      ],
    );
    expect(issues).toStrictEqual([
      {
        ...{ message: 'one', severity: 'major', location: { file: 'a.ts', line: 3 } },
        ...{ suggestion: 'do', evidence: 'quote' },
      },
      { message: 'two', severity: 'minor', location: { file: 'b.ts' } },
      { message: 'three', severity: 'major' },
    ]);
  });
});
