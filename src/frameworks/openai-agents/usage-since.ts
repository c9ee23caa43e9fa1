import type { Usage } from '../../core/usage.js';
import { knownOf } from '../shared/usage-of.js';

export interface AgentsUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly inputTokensDetails?: readonly Readonly<Record<string, number>>[] | undefined;
  readonly outputTokensDetails?: readonly Readonly<Record<string, number>>[] | undefined;
}

/** What a run has used so far. The usage of the SDK changes while it runs, so it is copied. */
export interface UsageCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cached: number | undefined;
  readonly reasoning: number | undefined;
}

/** Returns what was used since a run was restored: the SDK adds up over all calls of a run. */
export function usageSince(from: UsageCounts, after: AgentsUsage): Usage {
  const to = countsOf(after);
  return knownOf({
    inputTokens: to.inputTokens - from.inputTokens,
    outputTokens: to.outputTokens - from.outputTokens,
    totalTokens: to.totalTokens - from.totalTokens,
    ...(to.cached !== undefined && { cachedInputTokens: to.cached - (from.cached ?? 0) }),
    ...(to.reasoning !== undefined && { reasoningTokens: to.reasoning - (from.reasoning ?? 0) }),
  });
}

/** Returns a copy of what a run has used; nothing for a run that begins. */
export function countsOf(usage: AgentsUsage | undefined): UsageCounts {
  const { inputTokens = 0, outputTokens = 0, totalTokens = 0 } = usage ?? {};
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    cached: sumOf(usage?.inputTokensDetails, 'cached_tokens'),
    reasoning: sumOf(usage?.outputTokensDetails, 'reasoning_tokens'),
  };
}

/** Returns the sum of a count over all calls; undefined if none has it. */
function sumOf(
  details: readonly Readonly<Record<string, number>>[] | undefined,
  name: string,
): number | undefined {
  const known = (details ?? []).map((entry) => entry[name]).filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}
