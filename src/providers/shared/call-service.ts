import { ReviewLoopError } from '../../core/errors.js';
import { modelErrors } from '../../model/errors.js';
import { cancelledBy, type FaultPlace, faultOfThrown } from '../../model/provider-fault.js';
import { systemClock } from '../../ports/clock.js';

/** The limits of one call. */
export interface ServiceCall {
  readonly place: FaultPlace;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Calls a service once. Every failure becomes an error of this library. The call ends when its
 * signal is aborted or its timeout is over, even if the client ignores that.
 */
export async function callService<Value>(
  { place, signal, timeoutMs }: ServiceCall,
  call: (signal: AbortSignal) => PromiseLike<Value>,
): Promise<Value> {
  if (signal.aborted) throw cancelledBy(signal, place.id);
  const deadline = new AbortController();
  const cancel = systemClock.after(timeoutMs, () => deadline.abort());
  const either = AbortSignal.any([signal, deadline.signal]);
  const over = new Promise<never>((_, reject) =>
    either.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
  );
  try {
    return await Promise.race([call(either), over]);
  } catch (error) {
    if (signal.aborted) throw cancelledBy(signal, place.id);
    if (deadline.signal.aborted)
      throw new ReviewLoopError(
        modelErrors.provider_timeout,
        `${place.id} did not answer within ${timeoutMs} ms`,
        { retryable: true },
      );
    throw faultOfThrown(place, error);
  } finally {
    cancel();
  }
}
