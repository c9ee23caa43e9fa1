import type { LLMProvider, LLMResult } from '../../core/llm-provider.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import { tokensOf, type Usage } from '../../core/usage.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { isFree } from './free-errors.js';
import { type ModelBudget, type ModelBudgetOptions, modelBudget } from './model-budget.js';
import { type ModelPrices, priced } from './model-prices.js';
import type { ExpectedOptions } from './with-rate-limit.js';
import { inputTokensOf, wrapProvider } from './wrap-provider.js';

/** Options of {@link withBudget}. */
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
  checkKeys('withBudget', options, ['outputTokens', 'counter', 'prices']);
  const { outputTokens = 1000, counter = estimatedTokens, prices } = options;
  checkWhole('outputTokens', outputTokens, 1);
  if (typeof budget !== 'object' || budget === null)
    throw invalid('budget', 'a modelBudget(...) or its options', budget);
  const shared = 'reserve' in budget ? budget : modelBudget(budget);
  if (shared.countsMoney && prices === undefined)
    throw invalid('prices', 'set for a budget with `costUsd`', prices);
  return wrapProvider(provider, async (request) => {
    const maxOutputTokens = request.maxOutputTokens ?? outputTokens;
    const expected = priced(
      { inputTokens: await inputTokensOf(request, counter), outputTokens: maxOutputTokens },
      prices,
    );
    const reserved = shared.reserve(expected);
    try {
      const result = await provider.generate({ ...request, maxOutputTokens });
      reserved.settle(usedIn(result, expected, prices));
      return result;
    } catch (error) {
      reserved.settle(isFree(error) ? {} : expected);
      throw error;
    }
  });
}

function usedIn({ usage }: LLMResult, expected: Usage, prices: ModelPrices | undefined): Usage {
  if (tokensOf(usage) === undefined) return { ...expected, ...usage };
  return { ...priced(usage, prices), ...usage };
}
