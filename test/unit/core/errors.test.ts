import { describe, expect, it, vi } from 'vitest';
import { lastFault, linkFaults, noteFault, timeoutAfter } from '@/core/abort-signal.js';
import { coreErrors } from '@/core/core-errors.js';
import { isReviewError, messageOf, ReviewLoopError } from '@/core/errors.js';
import { errorCodes } from '@/errors.js';

describe('ReviewLoopError', () => {
  it('says what happened and how to fix it, with code, cause and refused value', () => {
    const cause = new Error('cause');
    const error = new ReviewLoopError('run_busy', 'run a is already in progress', {
      cause,
      value: 'a',
      retryable: true,
    });
    expect(error).toMatchObject({
      name: 'ReviewLoopError',
      code: 'run_busy',
      cause,
      value: 'a',
      retryable: true,
      kind: 'environment',
      fix: errorCodes.run_busy.fix,
    });
    expect(error.message).toBe(`run a is already in progress. ${errorCodes.run_busy.fix}`);
    expect(error).toBeInstanceOf(Error);
  });

  it('is not retryable and has no cause unless it is told', () => {
    const error = new ReviewLoopError('timeout', 'late');
    expect([error.retryable, 'cause' in error, error.value]).toEqual([false, false, undefined]);
  });

  it('every code has a way to fix it', () => {
    for (const [name, { code, fix }] of Object.entries(errorCodes)) {
      expect(code).toBe(name);
      expect(code).toMatch(/^[a-z_]+$/);
      expect(fix).toMatch(/[.:?)]$/);
    }
  });
});

describe('isReviewError', () => {
  it('knows the errors of another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('@/core/errors.js');
    const foreign = new copy.ReviewLoopError('timeout', 'late');
    expect(foreign).not.toBeInstanceOf(ReviewLoopError);
    expect(isReviewError(foreign)).toBe(true);
    expect(copy.isReviewError(new ReviewLoopError('timeout', 'late'))).toBe(true);
  });

  it('takes nothing else for one', () => {
    for (const other of [
      new Error('e'),
      null,
      undefined,
      'timeout',
      7,
      { code: 'timeout', message: 'late' },
      () => {},
    ])
      expect(isReviewError(other)).toBe(false);
  });

  it('is not fooled by data: the mark does not survive JSON', () => {
    expect(isReviewError(JSON.parse(JSON.stringify(new ReviewLoopError('timeout', 'late'))))).toBe(
      false,
    );
  });
});

it.each([
  [new Error('text'), 'text'],
  [new TypeError(''), 'TypeError'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [null, 'null'],
  [7n, '7'],
  [Symbol('s'), 'Symbol(s)'],
  [Object.create(null), '[object Object]'],
])('messageOf gives the text of %s', (thrown, text) => {
  expect(messageOf(thrown)).toBe(text);
});

describe('errors', () => {
  it('have the kind of who can remove the cause', () => {
    const codes = (kind: string) =>
      Object.values(coreErrors)
        .filter((entry) => entry.kind === kind)
        .map(({ code }) => code);
    expect(codes('usage')).toEqual([
      'invalid_options',
      'duplicate_id',
      'no_reviewers',
      'provider_missing',
    ]);
    expect(codes('input')).toEqual(['task_invalid']);
    expect(codes('judge')).toEqual(['criterion_contradiction', 'reviewer_threw']);
    expect(codes('environment')).toEqual([
      'run_conflict',
      'run_busy',
      'timeout',
      'run_timed_out',
      'cancelled',
      'budget_exceeded',
      'journal_write_failed',
      'port_failed',
    ]);
    expect(codes('bug')).toEqual([
      'no_produce',
      'not_json',
      'scope_failed',
      'policy_failed',
      'event_loop_blocked',
      'step_reused',
      'step_nested',
      'step_invalid',
    ]);
  });

  it('have a cause only where one is given, and say what happened once', () => {
    const bare = new ReviewLoopError('timeout', 'it was late.');
    expect(Object.hasOwn(bare, 'cause')).toBe(false);
    expect(bare).toMatchObject({ what: 'it was late.', retryable: false, value: undefined });
    expect(bare.message).toMatch(/^it was late\. Raise/);
    expect(new ReviewLoopError('timeout', 'a', { cause: undefined })).toHaveProperty(
      'cause',
      undefined,
    );
  });
});

describe('the last fault of a call', () => {
  const fault = new ReviewLoopError('timeout', 'the first try failed');

  it('is known by its signal and by those around it', () => {
    const [inner, middle, outer, other] = Array.from(
      { length: 4 },
      () => new AbortController().signal,
    );
    linkFaults(inner!, middle!);
    linkFaults(middle!, outer!);
    linkFaults(outer!, outer!);
    noteFault(inner!, fault);
    expect([inner, middle, outer, other, undefined].map(lastFault)).toEqual([
      fault,
      fault,
      fault,
      undefined,
      undefined,
    ]);
  });

  it('is the cause of the timeout that it led to', () => {
    const late = timeoutAfter('timeout', 'no answer', fault);
    expect(late).toMatchObject({ code: 'timeout', retryable: true, cause: fault });
    expect(late.message).toContain('no answer; before that: the first try failed');
    const bare = timeoutAfter('timeout', 'no answer', undefined);
    expect(bare).toMatchObject({ retryable: true, what: 'no answer' });
    expect(Object.hasOwn(bare, 'cause')).toBe(false);
  });
});
