import * as z from 'zod';
import { isReviewError } from '../../core/errors.js';
import type { LLMProvider, LLMResult } from '../../core/llm-provider.js';
import { checkAge, checkKeys, checkWhole, invalid } from '../../core/options.js';
import { tokensOf, UsageSchema } from '../../core/usage.js';
import {
  type SpendingLimit,
  type SpendingLimitOptions,
  spendingLimit,
} from '../../ports/spending-limit.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { isFree } from './free-errors.js';
import { type ModelPrices, priced } from './model-prices.js';
import type { ExpectedOptions } from './with-rate-limit.js';
import { inputTokensOf, wrapProvider } from './wrap-provider.js';

/** Options of {@link withSpendingLimit}. */
export interface WithSpendingLimitOptions extends ExpectedOptions {
  /**
   * Prices of tokens. Required unless the provider reports costs. A free model has the prices 0 and
   * 0.
   *
   * @default the costs that the provider reports
   */
  readonly prices?: ModelPrices | undefined;
}

/**
 * Returns a provider that rejects calls above a limit on the cost of a day. Each call reserves its
 * expected cost first, so that concurrent calls cannot overspend together; afterwards its cost
 * replaces the reservation. A cost that the provider reports is used, otherwise the prices are.
 *
 * Without prices, nothing is reserved, and calls are refused once the limit is reached. A call
 * whose cost nobody knows counts as expected; `warnings` of its result and `unknownCalls` of the
 * limit report it.
 *
 * @throws ReviewLoopError `invalid_options`; a call rejects with `spending_limit_reached`
 * @example
 * ```ts
 * const daily = spendingLimit({ usdPerDay: 20 });
 * const prices = { inputPerMillion: 3, outputPerMillion: 15 };
 * const limited = withSpendingLimit(provider, daily, { prices });
 * ```
 */
export function withSpendingLimit(
  provider: LLMProvider,
  limit: SpendingLimit | SpendingLimitOptions,
  options: WithSpendingLimitOptions = {},
): LLMProvider {
  checkKeys('withSpendingLimit', options, ['outputTokens', 'counter', 'prices']);
  const { outputTokens = 1000, counter = estimatedTokens, prices } = options;
  checkWhole('outputTokens', outputTokens, 0);
  if (typeof limit !== 'object' || limit === null)
    throw invalid('limit', 'a spendingLimit(...) or its options', limit);
  const shared = 'reserve' in limit ? limit : spendingLimit(limit);
  checkPrices(prices, provider);
  return wrapProvider(provider, async (request) => {
    const expected = priced(
      {
        inputTokens: prices === undefined ? 0 : await inputTokensOf(request, counter),
        outputTokens: request.maxOutputTokens ?? outputTokens,
      },
      prices,
    );
    const reserved = await shared.reserve(expected.costUsd ?? 0, request.signal);
    try {
      const result = await provider.generate(request);
      const cost = costOf(result, prices);
      reserved.settle(cost);
      return cost === undefined ? withWarning(result, shared, prices) : result;
    } catch (error) {
      reserved.settle(isFree(error) ? 0 : costIn(error, prices));
      throw error;
    }
  });
}

function checkPrices(prices: ModelPrices | undefined, { id, capabilities }: LLMProvider): void {
  if (prices === undefined) {
    if (capabilities.reportsCost) return;
    throw invalid(
      'prices',
      `set for ${id}, which does not report costs: { inputPerMillion, outputPerMillion }`,
      prices,
    );
  }
  checkKeys('prices', prices, ['inputPerMillion', 'outputPerMillion']);
  checkAge('prices.inputPerMillion', prices.inputPerMillion);
  checkAge('prices.outputPerMillion', prices.outputPerMillion);
}

/** Returns the cost of a call; undefined if nobody knows it. */
function costOf({ usage }: Pick<LLMResult, 'usage'>, prices: ModelPrices | undefined) {
  if (usage.costUsd !== undefined) return usage.costUsd;
  return tokensOf(usage) === undefined ? undefined : priced(usage, prices).costUsd;
}

/** Returns the cost of a failed call, if the error says what it used. */
function costIn(error: unknown, prices: ModelPrices | undefined): number | undefined {
  const value: unknown = isReviewError(error) && 'value' in error ? error.value : undefined;
  const usage =
    typeof value === 'object' && value !== null && 'usage' in value ? value.usage : undefined;
  const { data } = z.safeParse(UsageSchema, usage);
  return data === undefined ? undefined : costOf({ usage: data }, prices);
}

function withWarning(
  result: LLMResult,
  { usdPerDay }: SpendingLimit,
  prices: ModelPrices | undefined,
): LLMResult {
  const counted =
    prices === undefined
      ? 'it is not in the sum; set `prices` to count such calls'
      : 'it counts as expected';
  return {
    ...result,
    warnings: [
      ...result.warnings,
      `the cost of this call is unknown to the spending limit of ${usdPerDay} USD a day: ${counted}`,
    ],
  };
}
