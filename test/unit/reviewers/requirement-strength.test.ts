import { expect, it } from 'vitest';
import { definePipeline } from '../../../src/pipeline/define-pipeline.js';
import type { Requirement } from '../../../src/requirements/requirement.js';
import { requirementCoverage } from '../../../src/reviewers/requirement-coverage.js';

it('the strength of a source decides what is mandatory, not the words of the text', async () => {
  const listed = (text: string, strength: Requirement['strength']): Requirement => ({
    text,
    source: 'explicit',
    kind: 'listed',
    strength,
    line: 1,
    endLine: 1,
    section: [],
  });
  const reviewer = requirementCoverage<string, string>({
    extractRequirements: {
      makesSteps: false,
      extract: async () => [listed('It must print', 'MAY'), listed('It prints', 'MUST')],
    },
    checkRequirementCovered: async (requirement) => ({
      requirement,
      source: 'explicit',
      covered: false,
      state: 'uncovered',
      coverageDetails: 'nothing',
      confidence: 0,
    }),
    threshold: 0,
  });
  const { gaps } = await definePipeline<string, string>({ reviewers: [reviewer] }).review('t', 'o');
  const severities = gaps.map((gap) => [gap.affectedRequirement, gap.severity]);
  expect(Object.fromEntries(severities)).toEqual({
    'It must print': 'minor',
    'It prints': 'major',
  });
});
