import type { Usage } from '../../../core/usage.js';

/** Returns the tokens of a usage as text. */
export function tokensText(usage: Usage | undefined): string {
  const { inputTokens, outputTokens, totalTokens } = usage ?? {};
  const known = inputTokens !== undefined || outputTokens !== undefined;
  const total = totalTokens ?? (known ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined);
  return total === undefined ? 'unknown' : total.toLocaleString('en');
}

/** Returns the cost of a usage as text. */
export function costText(usage: Usage | undefined): string {
  return usage?.costUsd === undefined ? 'unknown' : `$${usage.costUsd.toFixed(4)}`;
}
