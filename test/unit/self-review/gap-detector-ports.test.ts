import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  agentRequest,
  criterion,
  GapDetector,
  llmCriterion,
  memoryVerdicts,
  textOutput,
} from '../../../src/index.js';
import type { GapDetectorOptions } from '../../../src/self-review/gap-detector.js';
import { manualLimiter, scriptedJudge, settle } from '../../../src/testing/index.js';
import { never } from '../engine/support.js';

const request = agentRequest('Write about tea');
const output = textOutput('tea');
const clear = llmCriterion<AgentOutput>({ id: 'clear', question: 'Is it clear?' });
const tea = criterion<AgentOutput, unknown>('tea', () => true, { version: '1' });

describe('the options of a gap detector', () => {
  it('give a model to the criteria that need one', async () => {
    const provider = scriptedJudge({ clear: 'yes' });
    const { assessments } = await new GapDetector([clear], { provider }).detect(output, request);
    expect(assessments).toMatchObject([{ verdict: 'pass', criterion: 'clear' }]);
    expect(provider.requests).toHaveLength(1);
  });

  it('reuse verdicts in later calls and other detectors', async () => {
    let calls = 0;
    const counted = criterion<AgentOutput, unknown>(
      'counted',
      () => {
        calls += 1;
        return true;
      },
      { version: '1' },
    );
    const verdicts = memoryVerdicts();
    for (const _ of [1, 2]) await new GapDetector([counted], { verdicts }).detect(output, request);
    expect(calls).toBe(1);
    await new GapDetector([counted]).detect(output, request);
    expect(calls).toBe(2);
  });

  it('let checks wait for a slot of the limiter', async () => {
    const limiter = manualLimiter();
    const detection = new GapDetector([tea], { limiter }).detect(output, request);
    await settle();
    expect(limiter.waiting).toHaveLength(1);
    limiter.open(9);
    expect((await detection).assessments).toMatchObject([{ verdict: 'pass' }]);
  });

  it('end a check that takes too long', async () => {
    const slow = criterion<AgentOutput, unknown>('slow', () => never<boolean>());
    const found = await new GapDetector([slow], { timeoutMs: 20 }).detect(output, request);
    expect(found.assessments).toMatchObject([{ verdict: 'errored', error: { code: 'timeout' } }]);
  });

  it('may all be there, and may be undefined', async () => {
    const all: Required<GapDetectorOptions> = {
      limiter: undefined,
      timeoutMs: undefined,
      provider: undefined,
      verdicts: undefined,
      judgeCoverage: undefined,
    };
    const found = await new GapDetector([tea], all).detect(output, request);
    expect(found).toMatchObject({ gaps: [], assessments: [{ verdict: 'pass' }] });
    expect(() => new GapDetector([tea], { verdict: memoryVerdicts() } as object)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });

  it('review on after a failure: every criterion is judged', async () => {
    const broken = criterion<AgentOutput, unknown>('broken', () => 'no', { severity: 'critical' });
    const last = llmCriterion<AgentOutput>({
      id: 'clear',
      question: 'Is it clear?',
      provider: scriptedJudge({ clear: 'yes' }),
    });
    const found = await new GapDetector([broken, last]).detect(output, request);
    expect(found.assessments).toMatchObject([{ verdict: 'fail' }, { verdict: 'pass' }]);
  });
});
