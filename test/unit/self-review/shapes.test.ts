import { describe, expect, it } from 'vitest';
import { AgentOutputSchema } from '../../../src/self-review/agent.js';
import { agentReviewers } from '../../../src/self-review/agent-reviewers.js';
import { selfReviewConfig } from '../../../src/self-review/config.js';
import { pathNamesScreen } from '../../../src/self-review/criteria/screens.js';
import {
  ReviewDecisionSchema,
  SelfReviewResultSchema,
} from '../../../src/self-review/self-review-result.js';
import { gapOf } from '../policies/fixtures.js';

const result = {
  reviewId: 'r',
  taskId: 't',
  agentId: 'a',
  iteration: 2,
  qualityScore: 0.5,
  completenessScore: 0.5,
  correctnessScore: 0.5,
  overallScore: 0.5,
  taskRequirements: ['one'],
  requirementsCovered: [],
  gaps: [
    gapOf({ severity: 'critical' }),
    gapOf({ severity: 'critical' }),
    gapOf({ severity: 'major' }),
    gapOf({ severity: 'minor' }),
  ],
  criticalGapCount: 2,
  majorGapCount: 1,
  minorGapCount: 1,
  decision: 'needs_work',
  reasoning: 'r',
  reviewDurationMs: 5,
  tokensUsed: 7,
  timestamp: '2026-01-01T00:00:00Z',
};

describe('the record of a self-review', () => {
  it('is taken whole', () => {
    expect(SelfReviewResultSchema.parse(result)).toEqual(result);
    expect(ReviewDecisionSchema.options).toEqual(['approved', 'needs_work', 'escalate']);
  });

  it.each<[keyof typeof result, readonly unknown[]]>([
    ['reviewId', [1]],
    ['taskId', [1]],
    ['agentId', [1]],
    ['iteration', [0, 1.5]],
    ['qualityScore', [-0.1, 1.1]],
    ['completenessScore', [-0.1, 1.1]],
    ['correctnessScore', [-0.1, 1.1]],
    ['overallScore', [-0.1, 1.1]],
    ['taskRequirements', [[1]]],
    ['requirementsCovered', [[{}]]],
    ['gaps', [[{}]]],
    ['criticalGapCount', [1, 3, -1]],
    ['majorGapCount', [0, 2, -1]],
    ['minorGapCount', [0, 2, -1]],
    ['decision', ['rejected']],
    ['reasoning', [1]],
    ['reviewDurationMs', [-1]],
    ['tokensUsed', [-1]],
    ['timestamp', [1]],
  ])('is refused with a wrong %s', (member, values) => {
    for (const value of values)
      expect(SelfReviewResultSchema.safeParse({ ...result, [member]: value }).success).toBe(false);
  });

  it('counts no gaps below 0, also where there are none', () => {
    const none = { ...result, gaps: [], criticalGapCount: 0, majorGapCount: 0, minorGapCount: 0 };
    expect(SelfReviewResultSchema.safeParse(none).success).toBe(true);
    expect(SelfReviewResultSchema.safeParse({ ...none, minorGapCount: -1 }).success).toBe(false);
  });
});

describe('the output of an agent', () => {
  it('has artifacts, and hints whose members are checked', () => {
    const output = { artifacts: [], routingHints: { needsApproval: true, notes: 'n' } };
    expect(AgentOutputSchema.parse(output)).toEqual(output);
    for (const routingHints of [{ needsApproval: 'yes' }, { notes: 1 }])
      expect(AgentOutputSchema.safeParse({ ...output, routingHints }).success).toBe(false);
  });
});

describe('the configuration', () => {
  it('lets a later part override an earlier one, unless it leaves the member out', () => {
    const { maxIterations } = selfReviewConfig({ maxIterations: 7 }, { maxIterations: undefined });
    expect(maxIterations).toBe(7);
    expect(selfReviewConfig({ maxIterations: 7 }, { maxIterations: 2 }).maxIterations).toBe(2);
  });

  it('names what is wrong, and keeps the values that were given', () => {
    expect(() => selfReviewConfig({ maxIterations: -1 })).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        value: { maxIterations: -1 },
        cause: expect.anything(),
      }),
    );
  });
});

describe('criteria of an agent', () => {
  it.each([
    ['criteria', null],
    ['criteria', 'all'],
    ['criteria.criteria', {}],
  ])('are refused by name: %s', (name, given) => {
    expect(() => agentReviewers(given as never, 0.9)).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringContaining(`\`${name}\``),
      }),
    );
  });
});

describe('the path of a screen', () => {
  it.each([
    ['mockups/SignUp.html', 'sign-up', true],
    ['mockups/sign up.html', 'SignUp', true],
    ['mockups/home.html', 'sign-up', false],
    ['mockups/home.html', '--', false],
  ])('%s shows %j: %s', (path, screen, shows) => {
    expect(pathNamesScreen(path, screen)).toBe(shows);
  });
});
