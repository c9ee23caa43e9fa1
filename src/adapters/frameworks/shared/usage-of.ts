import type { Usage } from '../../../core/usage.js';

export type TokenCount = number | undefined;

/** What a call of the AI SDK used, in either of its majors. Mastra has the same form. */
export interface AiSdkUsage {
  readonly inputTokens?: TokenCount;
  readonly outputTokens?: TokenCount;
  readonly totalTokens?: TokenCount;
  readonly inputTokenDetails?: { readonly cacheReadTokens?: TokenCount } | undefined;
  readonly outputTokenDetails?: { readonly reasoningTokens?: TokenCount } | undefined;
  readonly cachedInputTokens?: TokenCount;
  readonly reasoningTokens?: TokenCount;
}

export function usageOf(given: AiSdkUsage | undefined): Usage {
  return knownOf({
    inputTokens: given?.inputTokens,
    outputTokens: given?.outputTokens,
    totalTokens: given?.totalTokens,
    cachedInputTokens: given?.inputTokenDetails?.cacheReadTokens ?? given?.cachedInputTokens,
    reasoningTokens: given?.outputTokenDetails?.reasoningTokens ?? given?.reasoningTokens,
  });
}

/** A call of a model that used nothing did not tell. */
export function knownOf(counts: { readonly [Name in keyof Usage]: TokenCount }): Usage {
  const known = Object.entries(counts).filter(([, count]) => Number.isFinite(count));
  return Object.fromEntries(known.some(([, count]) => count !== 0) ? known : []);
}
