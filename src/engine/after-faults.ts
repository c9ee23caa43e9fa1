import type { Assessment } from '../core/assessment.js';
import { type ReviewError, ReviewLoopError } from '../core/errors.js';
import { timeoutAfter } from '../core/last-fault.js';

/** Returns the assessments; a timeout of the last attempt names what used up the time. */
export function afterFaults(
  now: readonly Assessment[],
  earlier: readonly Assessment[],
): Assessment[] {
  return now.map((one) => {
    const before = earlier.find(({ criterion }) => criterion === one.criterion);
    if (one.verdict !== 'errored' || before?.verdict !== 'errored') return one;
    const { error } = before;
    if (one.error.code !== 'timeout' || !(error instanceof ReviewLoopError)) return one;
    const isTimeout = error.code === 'timeout';
    return { ...one, error: isTimeout ? error : timeoutAfter('timeout', whatOf(one.error), error) };
  });
}

function whatOf(error: ReviewError): string {
  return error instanceof ReviewLoopError ? error.what : error.message;
}
