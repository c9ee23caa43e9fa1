import { describe, expect, it } from 'vitest';
import type { RequirementCoverage } from '../../../src/core/coverage.js';
import { definePipeline } from '../../../src/pipeline/define-pipeline.js';
import { requirementCoverage } from '../../../src/reviewers/requirement-coverage.js';

const unsure = (requirement: string): RequirementCoverage => ({
  requirement,
  source: 'explicit',
  covered: false,
  state: 'unsure',
  coverageDetails: 'half of its words',
  confidence: 0.4,
});

describe('requirementCoverage with states', () => {
  it('what is unsure is undecided, and never covered at the gate [D004-05] [R2-037]', async () => {
    const reviewer = requirementCoverage<string, string>({
      extractRequirements: async () => ['It must print'],
      checkRequirementCovered: async (requirement) => ({ ...unsure(requirement), covered: true }),
    });
    const review = await definePipeline<string, string>({ reviewers: [reviewer] }).review(
      'task',
      'output',
    );
    expect(review.assessments[0]).toMatchObject({ verdict: 'undecided', mandatory: true });
    expect(review.decision).toMatchObject({ kind: 'stop', code: 'undecided' });
  });

  it('asks the judge about what is unsure only, and takes its word', async () => {
    const asked: string[] = [];
    const reviewer = requirementCoverage<string, string>({
      extractRequirements: async () => ['a', 'b'],
      checkRequirementCovered: async (requirement) =>
        requirement === 'a'
          ? unsure(requirement)
          : { ...unsure(requirement), covered: true, state: 'covered' },
      judge: async (coverage, { task, output }) => {
        asked.push(`${coverage.requirement} ${task} ${output}`);
        return { ...coverage, covered: true, state: 'covered' };
      },
    });
    const review = await definePipeline<string, string>({ reviewers: [reviewer] }).review(
      'task',
      'output',
    );
    expect(asked).toEqual(['a task output']);
    expect(review.assessments.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });

  it('extracts once for all reviews of a run, also for a task that is a text [SR-73]', async () => {
    let extractions = 0;
    const reviewer = requirementCoverage<string, string>({
      extractRequirements: async () => {
        extractions += 1;
        return ['It must have a c'];
      },
      checkRequirementCovered: async (requirement, output) => ({
        ...unsure(requirement),
        covered: output.includes('c'),
        state: output.includes('c') ? 'covered' : 'uncovered',
      }),
    });
    const pipeline = definePipeline<string, string>({
      produce: async () => 'a',
      address: async (output) => `${output}c`,
      reviewers: [reviewer],
    });
    const outcome = await pipeline.run('task');
    expect(outcome.status).toBe('approved');
    expect(outcome.reviews).toHaveLength(2);
    expect(extractions).toBe(1);
  });
});
