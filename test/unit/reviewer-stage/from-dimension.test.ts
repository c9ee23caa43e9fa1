import { describe, expect, it } from 'vitest';
import { isJudged, type JudgedAssessment } from '../../../src/core/assessment.js';
import type { CompletedWork } from '../../../src/reviewer-stage/completed-work.js';
import type { DimensionIssue } from '../../../src/reviewer-stage/dimension.js';
import { fromDimension, issuesOf } from '../../../src/reviewer-stage/from-dimension.js';
import { fakeReviewerContext } from '../../../src/testing/index.js';
import { good, saying, work } from './support.js';

/** What a dimension says of these files: that they are good. */
async function judged(changedFiles: CompletedWork['changedFiles'], issues: DimensionIssue[] = []) {
  const reviewer = fromDimension(saying('quality', { ...good, issues }), { threshold: 'good' });
  const output = { ...work, changedFiles };
  const answer = await reviewer.review(
    { task: undefined, output, iteration: 1 },
    fakeReviewerContext(),
  );
  return 'assessments' in answer ? answer.assessments : answer;
}
const file = (path: string, omitted?: 'unmerged' | 'too_large') => ({
  ...{ path, status: 'modified' as const, content: 'text', diff: '+text' },
  ...(omitted !== undefined && { omitted }),
});

describe('a dimension', () => {
  it('has no verdict on files that judges cannot see, and names the first five', async () => {
    expect(await judged([file('a.ts')])).toMatchObject([{ verdict: 'pass' }]);
    expect(await judged([file('a.ts'), file('b.ts', 'unmerged')])).toMatchObject([
      {
        verdict: 'errored',
        error: {
          ...{ code: 'view_truncated', value: ['b.ts'] },
          what: 'b.ts is in conflict: judges cannot see all changes',
        },
      },
    ]);
    const paths = Array.from({ length: 7 }, (_, index) => `${index}.ts`);
    expect(await judged(paths.map((path) => file(path, 'too_large')))).toMatchObject([
      {
        error: {
          ...{ code: 'view_truncated', value: paths },
          what: `${paths
            .slice(0, 5)
            .map((path) => `${path} is too large`)
            .join(', ')}, and 2 more: judges cannot see all changes`,
        },
      },
    ]);
  });

  it('keeps place, quote, suggestion and severity of its issues, both ways', async () => {
    const issues: DimensionIssue[] = [
      {
        ...{ message: 'one', suggestion: 'do it', severity: 'critical', evidence: 'a quote' },
        location: { file: 'a.ts', line: 3 },
      },
      { message: 'two', suggestion: 'leave it', severity: 'minor' },
    ];
    const assessments = await judged([file('a.ts')], issues);
    const [assessment] = assessments.filter((one): one is JudgedAssessment => isJudged(one));
    expect(assessment?.gaps).toMatchObject([
      { location: { file: 'a.ts', line: 3 }, affectedArtifact: 'a.ts', evidence: 'a quote' },
      { description: 'two' },
    ]);
    for (const name of ['location', 'affectedArtifact', 'evidence'])
      expect(assessment?.gaps[1]).not.toHaveProperty(name);
    const again = assessment === undefined ? [] : issuesOf(assessment);
    expect(again).toEqual(issues);
    expect(again.map((issue) => Object.keys(issue).length)).toEqual([5, 3]);
  });
});
