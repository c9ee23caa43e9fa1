import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import { tokensOf } from '../../core/usage.js';
import { type RateLimit, type RateLimitOptions, rateLimit } from '../../ports/rate-limit.js';
import { estimatedTokens, type TokenCounter } from '../../ports/token-counter.js';
import { inputTokensOf, wrapProvider } from './wrap-provider.js';

/** What a call is expected to take before it is made. */
export interface ExpectedOptions {
  /** Tokens of an answer, for requests without `maxOutputTokens`. @default 1000 */
  readonly outputTokens?: number | undefined;
  /** @default estimates, a little on the safe side */
  readonly counter?: TokenCounter | undefined;
}

/**
 * Holds calls back until a limit has room for them, in the order in which they came. Pass one {@link RateLimit} to several
 * providers that share an account. A call counts with the tokens it is expected to take, then with those it took.
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
    const result = await provider.generate(request);
    pass.settle(tokensOf(result.usage) ?? expected);
    return result;
  });
}
