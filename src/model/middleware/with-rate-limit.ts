import { isReviewError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import { tokensOf } from '../../core/usage.js';
import { type RateLimit, type RateLimitOptions, rateLimit } from '../../ports/rate-limit.js';
import { estimatedTokens, type TokenCounter } from '../../ports/token-counter.js';
import { isFree } from './free-errors.js';
import { retryAfterIn } from './retry-after-in.js';
import { inputTokensOf, wrapProvider } from './wrap-provider.js';

/** The expected usage of a call. */
export interface ExpectedOptions {
  /** Expected tokens of an answer, for requests without `maxOutputTokens`. @default 1000 */
  readonly outputTokens?: number | undefined;
  /** Counts the tokens of a request. @default an estimate, slightly too high */
  readonly counter?: TokenCounter | undefined;
}

/** How long a refusal holds calls back if the service names no time, and at most. */
const defaultHoldMs = 1000;
const longestHoldMs = 60_000;

/**
 * Returns a provider that delays calls until a limit allows them, in their order. Pass one {@link
 * RateLimit} to several providers that share an account. A call counts with its expected tokens
 * first, then with its actual tokens. A call that the service refused counts with none.
 *
 * After `provider_rate_limited`, no call starts under the limit for as long as the service asks:
 * 1 second if it names no time, and at most a minute.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const account = rateLimit({ requestsPerMinute: 50, tokensPerMinute: 40_000 });
 * const both = [withRateLimit(small, account), withRateLimit(large, account)];
 * ```
 */
export function withRateLimit(
  provider: LLMProvider,
  limit: RateLimit | RateLimitOptions,
  options: ExpectedOptions = {},
): LLMProvider {
  checkKeys('withRateLimit', options, ['outputTokens', 'counter']);
  const { outputTokens = 1000, counter = estimatedTokens } = options;
  checkWhole('outputTokens', outputTokens, 0);
  if (typeof limit !== 'object' || limit === null)
    throw invalid('limit', 'a rateLimit(...) or its options', limit);
  const shared = 'enter' in limit ? limit : rateLimit(limit);
  return wrapProvider(provider, async (request) => {
    const expected =
      (await inputTokensOf(request, counter)) + (request.maxOutputTokens ?? outputTokens);
    const pass = await shared.enter({ tokens: expected, signal: request.signal });
    try {
      const result = await provider.generate(request);
      pass.settle(tokensOf(result.usage) ?? expected);
      return result;
    } catch (error) {
      pass.settle(isFree(error) ? 0 : expected);
      if (isReviewError(error) && error.code === 'provider_rate_limited')
        pass.refused?.(Math.min(longestHoldMs, retryAfterIn(error) ?? defaultHoldMs));
      throw error;
    }
  });
}
