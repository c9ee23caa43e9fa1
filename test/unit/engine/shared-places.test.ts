import { describe, expect, it } from 'vitest';
import {
  criterion,
  definePipeline,
  type PipelineOptions,
  type Reviewer,
} from '../../../src/index.js';
import { requirementCoverage } from '../../../src/reviewers/requirement-coverage.js';

const text = 'It must not shout';

/** A check that reports a place, and decides a requirement by it. */
const quiet = criterion<string, string>(
  'quiet',
  (output) => ({
    passed: !output.includes('!'),
    score: 0,
    details: 'it shouts',
    findings: [{ description: 'it shouts', severity: 'minor', file: 'a.txt', line: 1 }],
  }),
  {
    severity: 'minor',
    decides: async (requirement, output) =>
      requirement !== text
        ? undefined
        : {
            satisfied: !output.includes('!'),
            explanation: 'it shouts',
            evidence: [{ file: 'a.txt', line: 1, quote: '!', share: 1 }],
          },
  },
);

const coverage = (decided: boolean): Reviewer<string, string> =>
  requirementCoverage<string, string>({
    extractRequirements: async () => [text],
    checkRequirementCovered: async (requirement) => ({
      requirement,
      source: 'explicit',
      covered: false,
      state: 'uncovered',
      coverageDetails: 'no word of it',
      confidence: 1,
    }),
    ...(decided && {
      deciders: [{ id: 'quiet', version: '1', decides: quiet.decides as never }],
    }),
  });

const reviewed = (more: Partial<PipelineOptions<string, string>>) =>
  definePipeline<string, string>({ ...more }).review('task', 'Tea!');

describe('a check that decides a requirement and reports the place', () => {
  it('gives one gap for both, which names the requirement and is as severe as it', async () => {
    const other = criterion<string, string>('other', () => true);
    const review = await reviewed({ reviewers: [other, quiet, coverage(true)] });
    expect(review.gaps).toMatchObject([
      {
        criterionId: 'quiet',
        affectedRequirement: text,
        severity: 'major',
        location: { file: 'a.txt', line: 1 },
      },
    ]);
    const [, check, requirement] = review.assessments;
    expect(check).toMatchObject({ verdict: 'fail', gaps: [review.gaps[0]] });
    expect(requirement).toMatchObject({ verdict: 'fail', gaps: [review.gaps[0]] });
  });

  it('gives two where words decided the requirement', async () => {
    const review = await reviewed({ reviewers: [quiet, coverage(false)] });
    expect(review.gaps).toHaveLength(2);
    expect(review.gaps.find(({ criterionId }) => criterionId === 'quiet')).not.toHaveProperty(
      'affectedRequirement',
    );
  });
});
