import { lastFault, linkFaults, timeoutAfter } from '../../core/last-fault.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, checkPositive } from '../../core/options.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { modelErrors } from '../errors.js';
import { cancelledBy } from '../provider-fault.js';
import { wrapProvider } from './wrap-provider.js';

/**
 * Returns a provider whose calls end with `provider_timeout` after `timeoutMs` milliseconds, even
 * if the provider ignores its signal.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const quick = withTimeout(provider, 30_000);
 * ```
 */
export function withTimeout(
  provider: LLMProvider,
  timeoutMs: number,
  options: { readonly clock?: Clock | undefined } = {},
): LLMProvider {
  checkKeys('withTimeout', options, ['clock']);
  const { clock = systemClock } = options;
  checkPositive('timeoutMs', timeoutMs ?? 0);
  return wrapProvider(provider, async (request) => {
    if (request.signal.aborted) throw cancelledBy(request.signal, provider.id);
    const late = new AbortController();
    const signal = AbortSignal.any([request.signal, late.signal]);
    linkFaults(signal, request.signal);
    const cancel = clock.after(timeoutMs, () =>
      late.abort(
        timeoutAfter(
          modelErrors.provider_timeout,
          `${provider.id} did not answer within ${timeoutMs} ms`,
          lastFault(signal),
        ),
      ),
    );
    const over = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(cancelledBy(signal, provider.id)), {
        once: true,
      }),
    );
    try {
      return await Promise.race([provider.generate({ ...request, signal }), over]);
    } catch (error) {
      throw signal.aborted ? cancelledBy(signal, provider.id) : error;
    } finally {
      cancel();
    }
  });
}
