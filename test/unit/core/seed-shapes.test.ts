import { describe, expect, it } from 'vitest';
import * as requirements from '@/blocks/requirements/index.js';
import { RequirementExtractor } from '@/blocks/requirements/index.js';
import * as core from '@/index.js';
import {
  type AgentOutput,
  agentRequest,
  type CriterionResult,
  SelfReviewLoop,
  textOutput,
} from '@/index.js';
import * as selfReview from '@/products/self-review/index.js';
import { buildGapAddressingPrompt, type ReviewContext } from '@/products/self-review/index.js';
import {
  CriterionResultSchema,
  GapSchema,
  RequirementCoverageSchema,
  SelfReviewResultSchema,
} from '@/schemas.js';

const gap = {
  id: 'g',
  severity: 'major',
  category: 'missing',
  description: 'd',
  suggestedFix: 's',
  estimatedEffort: 'small',
};
const coverage = {
  requirement: 'r',
  source: 'explicit',
  covered: true,
  coverageDetails: 'c',
  confidence: 0.5,
};
const result = {
  reviewId: 'r',
  taskId: 't',
  agentId: 'a',
  iteration: 1,
  qualityScore: 0.5,
  completenessScore: 0.5,
  correctnessScore: 0.5,
  overallScore: 0.5,
  taskRequirements: [],
  requirementsCovered: [],
  gaps: [],
  criticalGapCount: 0,
  majorGapCount: 0,
  minorGapCount: 0,
  decision: 'approved',
  reasoning: 'r',
  reviewDurationMs: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
};

/** Whether a schema refuses the value without one member. */
const needs = (
  schema: { safeParse: (value: unknown) => { success: boolean } },
  value: object,
  key: string,
): boolean => {
  const { [key]: _, ...rest } = value as Record<string, unknown>;
  return schema.safeParse(value).success && !schema.safeParse(rest).success;
};
const refuses = (
  schema: { safeParse: (value: unknown) => { success: boolean } },
  value: object,
  change: object,
): boolean => schema.safeParse(value).success && !schema.safeParse({ ...value, ...change }).success;

describe('the shapes of seed 004', () => {
  it('a gap needs its id, severity, category, description and suggested fix [SR-10, SR-19, SR-20, SR-21, SR-24]', () => {
    for (const key of ['id', 'severity', 'category', 'description', 'suggestedFix'])
      expect(needs(GapSchema, gap, key), key).toBe(true);
    expect(refuses(GapSchema, gap, { id: 7 })).toBe(true);
    expect(refuses(GapSchema, gap, { category: 'odd' })).toBe(true);
  });

  it('the requirement and the artifact that a gap affects are optional texts [SR-22, SR-23]', () => {
    expect(
      GapSchema.parse({ ...gap, affectedRequirement: 'r', affectedArtifact: 'a.html' }),
    ).toMatchObject({ affectedRequirement: 'r', affectedArtifact: 'a.html' });
    expect(refuses(GapSchema, gap, { affectedArtifact: 7 })).toBe(true);
  });

  it('coverage needs requirement, one of three sources, covered and its details [SR-27, SR-28, SR-29]', () => {
    for (const key of ['requirement', 'source', 'covered', 'coverageDetails'])
      expect(needs(RequirementCoverageSchema, coverage, key), key).toBe(true);
    for (const source of ['explicit', 'implicit', 'inferred'])
      expect(RequirementCoverageSchema.safeParse({ ...coverage, source }).success).toBe(true);
    expect(refuses(RequirementCoverageSchema, coverage, { source: 'guessed' })).toBe(true);
  });

  it('the record of a review needs its ids and a 1-based iteration [SR-33, SR-127]', () => {
    for (const key of ['reviewId', 'taskId', 'agentId', 'iteration'])
      expect(needs(SelfReviewResultSchema, result, key), key).toBe(true);
    expect(refuses(SelfReviewResultSchema, result, { iteration: 0 })).toBe(true);
  });

  it('its four scores lie between 0 and 1 [SR-34]', () => {
    for (const key of ['qualityScore', 'completenessScore', 'correctnessScore', 'overallScore']) {
      expect(needs(SelfReviewResultSchema, result, key), key).toBe(true);
      expect(refuses(SelfReviewResultSchema, result, { [key]: 1.1 }), key).toBe(true);
      expect(refuses(SelfReviewResultSchema, result, { [key]: -0.1 }), key).toBe(true);
    }
  });

  it('the result of a criterion has passed, a score from 0 to 1 and details, perhaps a fix and an effort [SR-51]', () => {
    const given: CriterionResult = {
      passed: false,
      score: 0.5,
      details: 'd',
      suggestedFix: 'f',
      estimatedEffort: 'large',
    };
    expect(CriterionResultSchema.parse(given)).toEqual(given);
    for (const key of ['passed', 'score', 'details'])
      expect(needs(CriterionResultSchema, given, key), key).toBe(true);
    expect(refuses(CriterionResultSchema, given, { score: 2 })).toBe(true);
    expect(refuses(CriterionResultSchema, given, { estimatedEffort: 'epic' })).toBe(true);
  });

  it('a criterion is validated over output, request and context; a set of them extracts and checks requirements [SR-52, SR-53, SR-54]', async () => {
    const seen: {
      output?: AgentOutput;
      request?: unknown;
      context?: ReviewContext;
      requirement?: string;
    } = {};
    const request = agentRequest({ description: 'd', acceptanceCriteria: ['one'] });
    await new SelfReviewLoop({
      agentId: 'a',
      criteria: [
        {
          id: 'c',
          name: 'C',
          description: 'c',
          severity: 'minor',
          category: 'quality',
          validate: async (output, given, context) => {
            Object.assign(seen, { output, request: given, context });
            return { passed: true, score: 1, details: '' };
          },
        },
      ],
      extractRequirements: async () => ['the requirement'],
      checkRequirementCovered: async (requirement) => {
        seen.requirement = requirement;
        return {
          requirement,
          source: 'explicit',
          covered: true,
          coverageDetails: '',
          confidence: 1,
        };
      },
    }).execute(request, async () => textOutput('x'));
    expect(seen.output).toEqual(textOutput('x'));
    expect(seen.request).toEqual(request);
    expect(seen.context).toMatchObject({
      previous: [],
      previousOutputs: [],
      previousReviews: [],
      acceptanceCriteria: ['one'],
    });
    expect(seen.requirement).toBe('the requirement');
  });

  it('statements with should, must, need to, needs to and require are requirements [SR-59]', async () => {
    const found = await new RequirementExtractor().extract(
      'The page should load.\nIt must work.\nUsers need to log in.\nIt needs to be fast.\nThe form requires a name.\nNothing else is said.',
    );
    expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  });

  it('loop, extractor, gap prompt and merging are there under their names [SR-09, SR-12, SR-16, SR-126] [D004-40]', () => {
    for (const name of [
      'SelfReviewLoop',
      'RequirementExtractor',
      'GapDetector',
      'QualityScorer',
      'BaseAgent',
      'BaseAgentReviewCriteria',
      'buildGapAddressingPrompt',
      'mergeImprovements',
    ]) {
      expect(
        new Map<string, unknown>(Object.entries({ ...core, ...requirements, ...selfReview })).get(
          name,
        ),
        name,
      ).toBeTypeOf('function');
    }
  });

  it('the prompt that addresses gaps names the task, the output and every gap with its id [SR-134, SR-149]', () => {
    const prompt = buildGapAddressingPrompt('the task', textOutput('the text'), [
      { ...GapSchema.parse(gap), id: 'gap-1' },
    ]);
    for (const part of ['the task', 'the text', 'gap-1', '[MAJOR] d', 'Suggested fix: s'])
      expect(prompt).toContain(part);
  });
});
