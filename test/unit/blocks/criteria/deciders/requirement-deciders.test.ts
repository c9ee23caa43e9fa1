import { describe, expect, it } from 'vitest';
import { requirementDeciders } from '@/blocks/criteria/deciders/requirement-deciders.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import { criterion } from '@/blocks/reviewers/criterion.js';
import { requirementCoverage } from '@/blocks/reviewers/requirement-coverage.js';
import { type Artifacts, artifactsOf } from '@/core/artifact.js';
import { page, pageWith } from './decide.js';

const silent = async (requirement: string) =>
  ({
    requirement,
    source: 'explicit',
    covered: true,
    coverageDetails: 'its words occur',
    confidence: 1,
  }) as const;

async function review(requirement: string, output: Artifacts) {
  const pipeline = definePipeline({
    produce: async () => output,
    reviewers: [
      requirementCoverage<Artifacts, unknown>({
        extractRequirements: async () => [requirement],
        checkRequirementCovered: silent,
        deciders: requirementDeciders(),
        words: 'hint',
      }),
    ],
    budget: { reviews: 1 },
  });
  const outcome = await pipeline.run('task');
  return { status: outcome.status, assessment: outcome.review?.assessments[0] };
}

describe('requirementDeciders in a pipeline', () => {
  it('a check that passes is the proof of the requirement [R2-033]', async () => {
    const link = page('<a href="/x">Home</a>');
    const { status, assessment } = await review('All links must have discernible text', link);
    expect(status).toBe('approved');
    expect(assessment).toMatchObject({ verdict: 'pass', coverage: { decidedBy: 'names' } });
  });

  it('a prohibition is violated by what it forbids [R2-029]', async () => {
    const { status, assessment } = await review(
      'The page must not mention "coffee"',
      page('<p>We sell coffee.</p>'),
    );
    expect(status).not.toBe('approved');
    expect(assessment).toMatchObject({
      verdict: 'fail',
      coverage: { evidenceLocation: 'index.html:5' },
    });
  });

  it('values and weak evidence stay open [R2-030, R2-035]', async () => {
    for (const requirement of [
      'The heading must be blue',
      'The order must be confirmed by e-mail',
      'The page must show the opening hours',
    ]) {
      const { status, assessment } = await review(
        requirement,
        page('<h1>Tea</h1><label>E-mail <input></label>'),
      );
      expect(status).not.toBe('approved');
      expect(assessment?.verdict).toBe('undecided');
    }
  });

  it('every decider has an id and a version of its own', () => {
    const deciders = requirementDeciders();
    expect(new Set(deciders.map(({ id }) => id)).size).toBe(deciders.length);
    expect(new Set(deciders.map(({ version }) => version)).size).toBe(deciders.length);
  });
});

describe('a criterion with `decides`', () => {
  const polite = criterion('polite', (text: string) => text.includes('please'), {
    decides: (requirement, text) =>
      requirement === 'Be polite'
        ? { satisfied: text.includes('please'), explanation: '' }
        : undefined,
  });

  it('decides for requirementCoverage', async () => {
    const pipeline = definePipeline({
      produce: async () => 'please sit',
      reviewers: [
        requirementCoverage<string, unknown>({
          extractRequirements: async () => ['Be polite'],
          checkRequirementCovered: silent,
          deciders: polite.decides === undefined ? [] : [{ ...polite, decides: polite.decides }],
          words: 'hint',
        }),
      ],
    });
    const { review: seen } = await pipeline.run('task');
    expect(seen?.assessments[0]).toMatchObject({
      verdict: 'pass',
      coverage: { decidedBy: 'polite' },
    });
  });

  it('has another version than without it, and refuses what is not a function', () => {
    const check = (text: string) => text !== '';
    const [one, other] = [
      criterion('a', check),
      criterion('a', check, { decides: () => undefined }),
    ];
    expect(one.version).not.toBe(other.version);
    expect('decides' in one).toBe(false);
    expect(() => criterion('a', check, { decides: 'yes' as never })).toThrow(/decides of a/);
  });

  it('an output without content is not decided', async () => {
    const blank = (content: string) => ({ artifacts: [{ type: 'file', path: 'a.html', content }] });
    for (const { decides } of requirementDeciders())
      expect(await decides('No tables', blank(' '), { previous: [] })).toBeUndefined();
    expect(artifactsOf(blank(pageWith('')))).toHaveLength(1);
  });
});
