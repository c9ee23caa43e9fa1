import * as z from 'zod';
import { isReviewError } from '../../../core/errors.js';
import { memberOf } from '../../../core/json.js';
import type { LLMProvider, LLMResult } from '../../../core/llm-provider.js';
import { checkAge, checkKeys, checkWhole, invalid } from '../../../core/options.js';
import { tokensOf, type Usage, UsageSchema } from '../../../core/usage.js';
import { type RateLimit, type RateLimitOptions, rateLimit } from '../../../ports/rate-limit.js';
import {
  type SpendingLimit,
  type SpendingLimitOptions,
  spendingLimit,
} from '../../../ports/spending-limit.js';
import { estimatedTokens, type TokenCounter } from '../../../ports/token-counter.js';
import {
  type ModelBudget,
  type ModelBudgetOptions,
  type ModelPrices,
  modelBudget,
  priced,
} from './model-budget.js';
import { retryAfterIn, valueIn } from './with-retry.js';
import { inputTokensOf, wrapProvider } from './wrap-provider.js';

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
  const { outputTokens, counter } = expected('withSpendingLimit', options, ['prices']);
  const { prices } = options;
  checkShared('limit', 'spendingLimit', limit);
  const shared = 'reserve' in limit ? limit : spendingLimit(limit);
  checkPrices(prices, provider);
  return wrapProvider(provider, async (request) => {
    const usage = priced(
      {
        inputTokens: prices === undefined ? 0 : await inputTokensOf(request, counter),
        outputTokens: request.maxOutputTokens ?? outputTokens,
      },
      prices,
    );
    const reserved = await shared.reserve(usage.costUsd ?? 0, request.signal);
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

function costOf({ usage }: Pick<LLMResult, 'usage'>, prices: ModelPrices | undefined) {
  if (usage.costUsd !== undefined) return usage.costUsd;
  return tokensOf(usage) === undefined ? undefined : priced(usage, prices).costUsd;
}

function costIn(error: unknown, prices: ModelPrices | undefined): number | undefined {
  const { data } = z.safeParse(UsageSchema, memberOf(valueIn(error), 'usage'));
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

export interface ExpectedOptions {
  /** Expected tokens of an answer, for requests without `maxOutputTokens`. @default 1000 */
  readonly outputTokens?: number | undefined;
  /** Counts the tokens of a request. @default an estimate, slightly too high */
  readonly counter?: TokenCounter | undefined;
}

function expected(
  name: string,
  options: ExpectedOptions,
  more: readonly string[] = [],
  least = 0,
): Required<{ [Name in keyof ExpectedOptions]: NonNullable<ExpectedOptions[Name]> }> {
  checkKeys(name, options, ['outputTokens', 'counter', ...more]);
  const { outputTokens = 1000, counter = estimatedTokens } = options;
  checkWhole('outputTokens', outputTokens, least);
  return { outputTokens, counter };
}

/** A limit that several providers share, or the options of a new one. */
function checkShared(name: string, maker: string, value: unknown): void {
  if (typeof value !== 'object' || value === null)
    throw invalid(name, `a ${maker}(...) or its options`, value);
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
  const { outputTokens, counter } = expected('withRateLimit', options);
  checkShared('limit', 'rateLimit', limit);
  const shared = 'enter' in limit ? limit : rateLimit(limit);
  return wrapProvider(provider, async (request) => {
    const tokens =
      (await inputTokensOf(request, counter)) + (request.maxOutputTokens ?? outputTokens);
    const pass = await shared.enter({ tokens, signal: request.signal });
    try {
      const result = await provider.generate(request);
      pass.settle(tokensOf(result.usage) ?? tokens);
      return result;
    } catch (error) {
      pass.settle(isFree(error) ? 0 : tokens);
      if (isReviewError(error) && error.code === 'provider_rate_limited')
        pass.refused?.(Math.min(longestHoldMs, retryAfterIn(error) ?? defaultHoldMs));
      throw error;
    }
  });
}

export interface WithBudgetOptions extends ExpectedOptions {
  /** Prices of tokens. Required if the budget has `costUsd`. @default none */
  readonly prices?: ModelPrices | undefined;
}

/**
 * Returns a provider that rejects calls above a budget. Each call reserves its expected usage
 * first, so that concurrent calls cannot overspend together. After the call, the actual usage
 * replaces the reservation; unknown usage counts as expected. An answer has at most the reserved
 * output tokens.
 *
 * @throws ReviewLoopError `invalid_options`; a call rejects with `budget_exceeded`
 * @example
 * ```ts
 * const prices = { inputPerMillion: 3, outputPerMillion: 15 };
 * const frugal = withBudget(provider, { costUsd: 1 }, { prices });
 * ```
 */
export function withBudget(
  provider: LLMProvider,
  budget: ModelBudget | ModelBudgetOptions,
  options: WithBudgetOptions = {},
): LLMProvider {
  const { outputTokens, counter } = expected('withBudget', options, ['prices'], 1);
  const { prices } = options;
  checkShared('budget', 'modelBudget', budget);
  const shared = 'reserve' in budget ? budget : modelBudget(budget);
  if (shared.countsMoney && prices === undefined)
    throw invalid('prices', 'set for a budget with `costUsd`', prices);
  return wrapProvider(provider, async (request) => {
    const maxOutputTokens = request.maxOutputTokens ?? outputTokens;
    const usage = priced(
      { inputTokens: await inputTokensOf(request, counter), outputTokens: maxOutputTokens },
      prices,
    );
    const reserved = shared.reserve(usage);
    try {
      const result = await provider.generate({ ...request, maxOutputTokens });
      reserved.settle(usedIn(result, usage, prices));
      return result;
    } catch (error) {
      reserved.settle(isFree(error) ? {} : usage);
      throw error;
    }
  });
}

function usedIn({ usage }: LLMResult, expected: Usage, prices: ModelPrices | undefined): Usage {
  if (tokensOf(usage) === undefined) return { ...expected, ...usage };
  return { ...priced(usage, prices), ...usage };
}

/** Codes of calls that cost nothing, because the service did not start. */
const free: ReadonlySet<string> = new Set([
  'provider_unauthorized',
  'provider_rate_limited',
  'provider_refused_request',
  'peer_missing',
  'process_not_found',
  'invalid_options',
]);

function isFree(error: unknown): boolean {
  return isReviewError(error) && free.has(error.code);
}
