import type { Usage } from '../../core/usage.js';

type Count = number | undefined;

/** What a call of the AI SDK used, in either of its majors. Mastra has the same form. */
export interface AiSdkUsage {
  readonly inputTokens?: Count;
  readonly outputTokens?: Count;
  readonly totalTokens?: Count;
  readonly inputTokenDetails?: { readonly cacheReadTokens?: Count } | undefined;
  readonly outputTokenDetails?: { readonly reasoningTokens?: Count } | undefined;
  readonly cachedInputTokens?: Count;
  readonly reasoningTokens?: Count;
}

/** Returns the usage of a call of the AI SDK. A number that it leaves out stays unknown. */
export function usageOf(given: AiSdkUsage | undefined): Usage {
  return knownOf({
    inputTokens: given?.inputTokens,
    outputTokens: given?.outputTokens,
    totalTokens: given?.totalTokens,
    cachedInputTokens: given?.inputTokenDetails?.cacheReadTokens ?? given?.cachedInputTokens,
    reasoningTokens: given?.outputTokenDetails?.reasoningTokens ?? given?.reasoningTokens,
  });
}

/** Returns the counts of a usage that are known. */
export function knownOf(counts: { readonly [Name in keyof Usage]: Count }): Usage {
  return Object.fromEntries(
    Object.entries(counts).filter(([, count]) => count !== undefined && Number.isFinite(count)),
  );
}
