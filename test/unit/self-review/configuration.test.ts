import { describe, expect, it } from 'vitest';
import { agentRequest } from '../../../src/index.js';
import { isAgentRequest, taskIdOf } from '../../../src/self-review/agent-context.js';
import { selfReviewConfig } from '../../../src/self-review/config.js';

describe('the configuration of self-review', () => {
  // one test, because a schema is built by the first test that uses it
  it('has safe defaults, and refuses what could never apply', () => {
    expect(selfReviewConfig()).toMatchObject({
      enabled: true,
      escalateOnCriticalGaps: true,
      escalateCritical: 'immediate',
      cacheReviewResults: true,
      captureForLearning: true,
    });
    expect(selfReviewConfig({ escalateCritical: 'after-attempt' }).escalateCritical).toBe(
      'after-attempt',
    );
    expect(() => selfReviewConfig({ maxIterations: 2, escalateAfterIterations: 3 })).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringMatching(/exceeds maxIterations[\s\S]*at escalateAfterIterations/),
      }),
    );
    expect(() => selfReviewConfig({ escalateCritical: '' as 'immediate' })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});

describe('a task', () => {
  it('that is an agent request has an id', () => {
    const request = agentRequest({ id: 'task-7', description: 'Write' });
    expect(isAgentRequest(request)).toBe(true);
    expect(taskIdOf(request)).toBe('task-7');
  });

  it.each([
    null,
    undefined,
    'text',
    7,
    {},
    { context: null },
    { context: undefined },
    { context: 'text' },
    { context: {} },
    { context: { task: null } },
    { context: { task: undefined } },
    { context: { task: 'text' } },
  ])('of another shape is no agent request: %o', (task) => {
    expect(isAgentRequest(task)).toBe(false);
    expect(taskIdOf(task)).toBe('task');
  });
});
