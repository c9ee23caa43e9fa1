import { describe, expect, it } from 'vitest';
import { afterFaults } from '../../../src/engine/after-faults.js';
import { type Assessment, ReviewLoopError } from '../../../src/index.js';
import { passed } from './support.js';

const errored = (
  criterion: string,
  code: 'timeout' | 'reviewer_threw',
  what: string,
): Assessment => ({
  ...{ verdict: 'errored', criterion, error: new ReviewLoopError(code, what) },
});
const textOf = (assessment: Assessment | undefined) =>
  assessment?.verdict === 'errored' ? assessment.error.message : assessment?.verdict;

describe('a timeout of the last try', () => {
  const late = errored('b', 'timeout', 'b timed out');

  it('names what used up the time of this very criterion', () => {
    const earlier = [
      errored('a', 'reviewer_threw', 'the key is wrong'),
      errored('b', 'reviewer_threw', 'no model'),
    ];
    const [now] = afterFaults([late], earlier);
    expect(textOf(now)).toContain('no model');
    expect(textOf(now)).not.toContain('the key is wrong');
  });

  it('is told as it is where the try before had a verdict, or none', () => {
    expect(afterFaults([late], [passed('b')])).toEqual([late]);
    expect(afterFaults([late], [])).toEqual([late]);
    expect(afterFaults([late], [errored('a', 'reviewer_threw', 'down')])).toEqual([late]);
  });

  it('leaves verdicts alone', () => {
    const now = [passed('b'), errored('c', 'reviewer_threw', 'down')];
    const earlier = [errored('b', 'timeout', 'late'), errored('c', 'timeout', 'late')];
    expect(afterFaults(now, earlier)).toEqual(now);
  });
});
