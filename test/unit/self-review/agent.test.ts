import { describe, expect, it } from 'vitest';
import { artifactsOf } from '../../../src/core/artifact.js';
import { AssessmentSchema, isJudged } from '../../../src/core/assessment.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { isOpen } from '../../../src/core/gap.js';
import { AgentOutputSchema, agentRequest, textOutput } from '../../../src/self-review/agent.js';
import { gapOf } from '../policies/fixtures.js';

describe('agentRequest and textOutput', () => {
  it('make a request from a text or a description', () => {
    expect(agentRequest('tea')).toEqual({
      context: { task: { id: 'task', description: 'tea' }, items: [] },
    });
    expect(
      agentRequest({ id: 't1', description: 'tea', acceptanceCriteria: ['hot'] }).context.task,
    ).toEqual({ id: 't1', description: 'tea', acceptanceCriteria: ['hot'] });
  });

  it('make an output from a text', () => {
    expect(AgentOutputSchema.parse(textOutput('tea'))).toEqual({
      artifacts: [{ type: 'text', path: 'output.md', content: 'tea' }],
    });
    expect(textOutput('tea', 'a.txt').artifacts[0]?.path).toBe('a.txt');
  });
});

describe('artifactsOf', () => {
  it('finds the artifacts of any output', () => {
    const artifact = { type: 'code', path: 'a.ts', content: '1' };
    expect(artifactsOf({ artifacts: [artifact, { path: 7 }, null], result: 1 })).toEqual([
      artifact,
    ]);
    expect(artifactsOf('tea')).toEqual([{ type: 'text', path: 'output', content: 'tea' }]);
  });

  it.each([[null], [undefined], [7], [[]], [{}], [{ artifacts: 'none' }]])(
    'finds none in %s',
    (output) => {
      expect(artifactsOf(output)).toEqual([]);
    },
  );
});

describe('assessments', () => {
  const judged = { criterion: 'a', score: 1, explanation: '', gaps: [] };

  it.each([
    { verdict: 'pass', ...judged },
    { verdict: 'fail', ...judged, category: 'incorrect' },
    { verdict: 'skipped', criterion: 'a', reason: 'why' },
    { verdict: 'errored', criterion: 'a', error: new ReviewLoopError('timeout', 'late') },
  ])('takes $verdict', (assessment) => {
    const parsed = AssessmentSchema.parse(assessment);
    expect(parsed).toEqual(assessment);
    expect(isJudged(parsed)).toBe(assessment.verdict === 'pass' || assessment.verdict === 'fail');
  });

  it.each([
    ['a score above 1', { verdict: 'pass', ...judged, score: 7 }],
    ['NaN', { verdict: 'fail', ...judged, score: Number.NaN }],
    ['no score', { verdict: 'pass', criterion: 'a', explanation: '', gaps: [] }],
    ['a skip without a reason', { verdict: 'skipped', criterion: 'a', reason: '' }],
    [
      'an error that is none of ours',
      { verdict: 'errored', criterion: 'a', error: new Error('e') },
    ],
    ['another verdict', { verdict: 'ok', ...judged }],
    ['approval as a text', 'pass'],
  ])('refuses %s', (_, assessment) => {
    expect(AssessmentSchema.safeParse(assessment).success).toBe(false);
  });

  it('a gap counts unless it is disputed or waived', () => {
    expect(
      [undefined, 'unchecked', 'confirmed', 'disputed', 'waived'].map((standing) =>
        isOpen(gapOf({ standing: standing as never })),
      ),
    ).toEqual([true, true, true, false, false]);
  });
});
