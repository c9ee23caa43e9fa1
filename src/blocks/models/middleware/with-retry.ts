import {
  lastFault,
  linkFaults,
  noteFault,
  onAbort,
  timeoutAfter,
} from '../../../core/abort-signal.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import { memberOf } from '../../../core/json.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import {
  checkKeys,
  checkPositive,
  checkTable,
  elsewhere,
  type OptionTable,
  whole,
} from '../../../core/options.js';
import { noteTries, type Try } from '../../../core/tries.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { type Random, systemRandom } from '../../../ports/random.js';
import { modelErrors } from '../errors.js';
import { cancelledBy } from '../provider-fault.js';
import { wrapProvider } from './wrap-provider.js';

export interface RetryOptions {
  /** Largest number of calls, with the first; from 1. @default 3 */
  readonly attempts?: number | undefined;
  /** Delay before the second call, in milliseconds. It doubles with each call. @default 1000 */
  readonly firstDelayMs?: number | undefined;
  /**
   * Longest delay, in milliseconds. If the service asks for more, the call fails.
   *
   * @default 60000
   */
  readonly longestDelayMs?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** Source of the jitter. @default random */
  readonly random?: Random | undefined;
}

const table: OptionTable<RetryOptions> = {
  ...{ attempts: whole(1), firstDelayMs: checkPositive, longestDelayMs: checkPositive },
  ...{ clock: elsewhere(), random: elsewhere() },
};

/**
 * Returns a provider that retries calls with a `retryable` error. The delay doubles with each call,
 * has jitter, and is at least as long as the service asks. `attempts` of the result counts all
 * calls.
 *
 * @throws ReviewLoopError `invalid_options`; a call rejects with the last error
 * @example
 * ```ts
 * const patient = withRetry(provider, { attempts: 5 });
 * ```
 */
export function withRetry(provider: LLMProvider, options: RetryOptions = {}): LLMProvider {
  checkTable('withRetry', table, options);
  const {
    attempts = 3,
    firstDelayMs = 1000,
    longestDelayMs = 60_000,
    clock = systemClock,
    random = systemRandom,
  } = options;
  /** Returns the delay before the next call; `undefined` if there is no next call. */
  const delayAfter = (error: unknown, attempt: number, signal: AbortSignal): number | undefined => {
    if (!(error instanceof ReviewLoopError) || !error.retryable || attempt >= attempts)
      return undefined;
    // if the time is used up while it waits, this is the cause
    noteFault(signal, error);
    const growing = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
    const delay = Math.max(retryAfterIn(error) ?? 0, growing * (0.5 + fractionOf(random) / 2));
    return delay > longestDelayMs ? undefined : delay;
  };
  return wrapProvider(provider, async (request) => {
    const tries: Try[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const began = clock.now();
      try {
        const result = await provider.generate(request);
        return { ...result, attempts: result.attempts + attempt - 1 };
      } catch (error) {
        const durationMs = Math.max(0, clock.now() - began);
        tries.push({ at: new Date(began).toISOString(), durationMs, what: messageOf(error) });
        noteTries(error, tries);
        const delay = delayAfter(error, attempt, request.signal);
        if (delay === undefined || request.signal.aborted) throw error;
        await pause(clock, delay, request.signal, provider.id);
      }
    }
  });
}

function fractionOf(random: Random): number {
  return Number.parseInt(hashText(random.nonce()).slice(0, 8), 16) / 2 ** 32;
}

function pause(clock: Clock, ms: number, signal: AbortSignal, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const ignore = onAbort(signal, () => {
      cancel();
      reject(cancelledBy(signal, id));
    });
    const cancel = clock.after(ms, () => {
      ignore();
      resolve();
    });
  });
}

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

/** In milliseconds, if the service asks to wait. */
export function retryAfterIn(error: unknown): number | undefined {
  const found = memberOf(valueIn(error), 'retryAfterMs');
  return typeof found === 'number' ? found : undefined;
}

/** What an error of this library tells of its call, such as its usage. */
export function valueIn(error: unknown): unknown {
  return isReviewError(error) && 'value' in error ? error.value : undefined;
}
