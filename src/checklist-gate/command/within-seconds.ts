import { ReviewLoopError } from '../../core/errors.js';
import { modelErrors } from '../../model/errors.js';
import { systemClock } from '../../ports/clock.js';

/**
 * Calls a function with a signal that is aborted after `--review-timeout`, or with `signal`.
 *
 * @throws ReviewLoopError `provider_timeout`; errors of `work`
 */
export async function withinSeconds<Value>(
  seconds: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  if (seconds === undefined) return work(signal);
  const late = new AbortController();
  const error = new ReviewLoopError(
    modelErrors.provider_timeout,
    `the model did not answer within ${seconds} s (--review-timeout ${seconds})`,
    { value: seconds },
  );
  const cancel = systemClock.after(seconds * 1000, () => late.abort(error));
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (fault) {
    throw late.signal.aborted && !signal.aborted ? error : fault;
  } finally {
    cancel();
  }
}
