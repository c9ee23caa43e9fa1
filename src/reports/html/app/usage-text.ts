import type { Usage } from '../../../core/usage.js';

export function tokensText(usage: Usage | undefined): string {
  const { inputTokens, outputTokens, totalTokens } = usage ?? {};
  const known = inputTokens !== undefined || outputTokens !== undefined;
  const total = totalTokens ?? (known ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined);
  return total === undefined ? 'unknown' : total.toLocaleString('en');
}

export function costText(usage: Usage | undefined): string {
  return usage?.costUsd === undefined ? 'unknown' : `$${usage.costUsd.toFixed(4)}`;
}
