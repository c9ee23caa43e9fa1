import { describe, expect, it } from 'vitest';
import { lastFault, linkFaults, noteFault, timeoutAfter } from '@/core/abort-signal.js';
import { ReviewLoopError } from '@/core/errors.js';

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
