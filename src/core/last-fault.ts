import { type KnownError, ReviewLoopError } from './errors.js';

const faults = new WeakMap<AbortSignal, ReviewLoopError>();
const outers = new WeakMap<AbortSignal, AbortSignal>();

/** Records that the call of this signal failed, and will be tried again. */
export function noteFault(signal: AbortSignal, fault: ReviewLoopError): void {
  for (let at: AbortSignal | undefined = signal; at !== undefined; at = outers.get(at))
    faults.set(at, fault);
}

/** Lets the faults of a signal count for the signal that it was made from. */
export function linkFaults(inner: AbortSignal, outer: AbortSignal): void {
  if (inner !== outer) outers.set(inner, outer);
}

/** Returns the last fault of the calls with this signal. */
export function lastFault(signal: AbortSignal | undefined): ReviewLoopError | undefined {
  return signal && faults.get(signal);
}

/** Returns the error of a timeout. It names the fault that used up the time, if there was one. */
export function timeoutAfter(
  error: KnownError,
  what: string,
  fault: ReviewLoopError | undefined,
): ReviewLoopError {
  if (fault === undefined) return new ReviewLoopError(error, what, { retryable: true });
  const both = `${what}; before that: ${fault.what}`;
  return new ReviewLoopError(error, both, { retryable: true, cause: fault });
}
