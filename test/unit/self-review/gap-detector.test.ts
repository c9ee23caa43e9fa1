import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentReviewCriteria,
  agentRequest,
  criterion,
  GapDetector,
  textOutput,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { never } from '../engine/support.js';

const given: AgentReviewCriteria = {
  agentId: 'a',
  criteria: [
    criterion<AgentOutput, unknown>(
      'long',
      (output) => (output.artifacts[0]?.content?.length ?? 0) > 5 || 'too short',
      { severity: 'critical' },
    ),
  ],
  extractRequirements: async () => ['says tea'],
  checkRequirementCovered: async (requirement, output) => ({
    requirement,
    source: 'explicit',
    covered: output.artifacts[0]?.content?.includes('tea') ?? false,
    coverageDetails: '',
    confidence: 1,
  }),
};

describe('GapDetector', () => {
  it('finds gaps, the worst first, and the coverage, without deciding [SR-11, SR-128]', async () => {
    const { gaps, coverage, assessments } = await new GapDetector(given).detect(
      textOutput('x'),
      agentRequest('t'),
    );
    expect(gaps.map(({ severity, category }) => [severity, category])).toEqual([
      ['critical', 'quality'],
      ['major', 'missing'],
    ]);
    expect(coverage).toMatchObject([{ requirement: 'says tea', covered: false }]);
    expect(assessments).toHaveLength(2);
  });

  it('tells a judge that failed, and takes bare criteria, a timeout and a signal', async () => {
    const broken = await new GapDetector([
      criterion<AgentOutput, unknown>('b', () => {
        throw new Error('x');
      }),
    ]).detect(textOutput('x'), agentRequest('t'));
    expect(broken).toMatchObject({ gaps: [], assessments: [{ verdict: 'errored' }] });
    const slow = await new GapDetector(
      [criterion<AgentOutput, unknown>('s', () => never<boolean>())],
      { timeoutMs: 50 },
    ).detect(textOutput('x'), agentRequest('t'));
    expect(slow.assessments[0]).toMatchObject({ error: { code: 'timeout' } });
    await expect(
      new GapDetector(given).detect(textOutput('x'), agentRequest('t'), {
        signal: AbortSignal.abort(),
      }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    expect(fakeClock().now()).toBe(0);
  });

  it.each([[null], ['x'], [{ agentId: 'a' }]])('refuses %j as criteria', (criteria) => {
    expect(() => new GapDetector(criteria as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});

describe('a criterion with a scope', () => {
  it('sees the same part in a pipeline, in a detector and as a validate', async () => {
    const seen: unknown[] = [];
    const scoped = criterion(
      'scoped',
      (view: readonly string[]) => {
        seen.push(view);
        return true;
      },
      { scope: (output: AgentOutput) => output.artifacts.map(({ path }) => path) },
    );
    await new GapDetector([scoped]).detect(textOutput('x'), agentRequest('t'));
    expect(seen).toEqual([['output.md']]);
  });
});
