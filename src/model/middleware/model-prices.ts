import { tokensOf, type Usage } from '../../core/usage.js';

/** Prices of tokens, in US dollars per million. */
export interface ModelPrices {
  /** Price of a million input tokens. */
  readonly inputPerMillion: number;
  /** Price of a million output tokens. */
  readonly outputPerMillion: number;
}

/** Returns the usage with its cost at these prices. */
export function priced(usage: Usage, prices: ModelPrices | undefined): Usage {
  if (prices === undefined) return usage;
  const { inputTokens, outputTokens } = usage;
  // tokens of unknown kind cost as much as output tokens
  const output = outputTokens ?? (tokensOf(usage) ?? 0) - (inputTokens ?? 0);
  return {
    ...usage,
    costUsd:
      ((inputTokens ?? 0) * prices.inputPerMillion + output * prices.outputPerMillion) / 1_000_000,
  };
}
