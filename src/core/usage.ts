import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

/** What calls cost. A missing number is unknown, never zero. */
export const UsageSchema = builtOnUse(() =>
  z.object({
    inputTokens: z.number().min(0).optional(),
    outputTokens: z.number().min(0).optional(),
    /** The part of the input tokens that the service read from its cache. */
    cachedInputTokens: z.number().min(0).optional(),
    /** Input and output tokens together. */
    totalTokens: z.number().min(0).optional(),
    /** The cost in US dollars. */
    costUsd: z.number().min(0).optional(),
  }),
);
/** What calls cost. A missing number is unknown, never zero. */
export interface Usage extends z.infer<typeof UsageSchema> {}

/**
 * Returns all tokens of a usage: the total if it is known, otherwise input plus output, otherwise
 * `undefined`.
 */
export function tokensOf(usage: Usage): number | undefined {
  if (usage.totalTokens !== undefined) return usage.totalTokens;
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return undefined;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** Returns the difference between a usage and an earlier one. */
export function usageSince(before: Usage, after: Usage): Usage {
  const since: Usage = {};
  for (const key of Object.keys(after) as (keyof Usage)[]) {
    const now = after[key];
    if (now !== undefined && now !== before[key]) since[key] = now - (before[key] ?? 0);
  }
  return since;
}

function isEmpty(usage: Usage): boolean {
  for (const _ in usage) return false;
  return true;
}

/** Returns the sum of two usages, with the total of both. A number that both leave out stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  if (isEmpty(a) && isEmpty(b)) return a;
  const sum: Usage = { ...a };
  for (const key of Object.keys(b) as (keyof Usage)[]) {
    const more = b[key];
    if (more !== undefined) sum[key] = (sum[key] ?? 0) + more;
  }
  const tokens = [tokensOf(a), tokensOf(b)].filter((count) => count !== undefined);
  if (tokens.length > 0) sum.totalTokens = tokens.reduce((total, count) => total + count, 0);
  return sum;
}
