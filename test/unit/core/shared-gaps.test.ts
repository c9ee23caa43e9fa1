import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/core/assessment.js';
import type { RequirementDecision } from '../../../src/core/criterion.js';
import type { Gap } from '../../../src/core/gap.js';
import { criterion, definePipeline } from '../../../src/index.js';
import { requirementCoverage } from '../../../src/reviewers/requirement-coverage.js';

const asked = 'The page must state its language';

/** Reviews one page with a check, and with the requirement that it decides. */
async function reviewed(
  decision: RequirementDecision,
  finding: Partial<Gap> & { readonly file?: string; readonly line?: number } = {},
  severity: 'major' | 'minor' = 'minor',
) {
  const found = { description: 'no lang', file: 'a.html', line: 2, ...finding };
  const lang = criterion(
    'lang',
    (_: string) => ({ passed: false, score: 0.9, details: 'no lang', findings: [found] }),
    { severity, decides: () => decision, version: '1' },
  );
  const coverage = requirementCoverage<string, string>({
    extractRequirements: async () => [asked],
    checkRequirementCovered: async () => {
      throw new Error('a check decides');
    },
    deciders: [{ id: 'lang', version: '1', decides: () => decision }],
    words: 'hint',
    version: '1',
  });
  const pipeline = definePipeline<string, string>({
    produce: async () => '<html>',
    reviewers: [coverage, lang],
  });
  const outcome = await pipeline.run('page');
  const [review] = outcome.reviews;
  if (review === undefined) throw new Error('no review');
  return { outcome, review };
}

const violated = { satisfied: false, explanation: 'no lang in a.html' };
const at = (line: number) => ({ file: 'a.html', line, quote: '<html>', share: 1 });

function gapsOf(assessment: Assessment | undefined): readonly Gap[] {
  return assessment !== undefined && 'gaps' in assessment ? assessment.gaps : [];
}

describe('a defect that a check and a requirement report', () => {
  it.each([
    ['at its line', { ...violated, evidence: [at(2)] }],
    ['in its file', { ...violated, files: ['a.html'] }],
  ])('is one gap %s, as severe as the worse one, and approves nothing', async (_, decision) => {
    const { outcome, review } = await reviewed(decision);
    expect(outcome.status).not.toBe('approved');
    expect(review.gaps).toMatchObject([
      { criterionId: 'lang', severity: 'major', affectedRequirement: asked, raisedBy: 'lang' },
    ]);
    const requirement = review.assessments.find(({ criterion: id }) => id.startsWith('req'));
    expect(requirement).toMatchObject({ verdict: 'fail', score: 0, coverage: { covered: false } });
    expect(gapsOf(requirement)).toEqual(review.gaps);
    expect(review.scores.completeness).toBe(0);
  });

  it.each([
    ['another line', { ...violated, evidence: [at(2), at(7)] }, {}],
    ['another file', { ...violated, files: ['a.html', 'b.html'] }, {}],
    ['an unknown place', violated, {}],
    ['the gap of another criterion', { ...violated, evidence: [at(2)], reportedBy: 'name' }, {}],
    ['a gap that nobody may fix', { ...violated, evidence: [at(2)] }, { autoFixable: false }],
  ])('stays two gaps: %s', async (_, decision, finding) => {
    const { review } = await reviewed(decision, finding);
    expect(review.gaps.map(({ severity }) => severity)).toEqual(['major', 'minor']);
    expect(review.gaps[0]?.description).toContain('Requirement violated');
    expect(review.gaps[1]?.affectedRequirement).toBeUndefined();
  });
});
