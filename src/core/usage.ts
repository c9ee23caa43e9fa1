import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { ReviewLoopError } from './errors.js';

/** What calls cost. A missing number is unknown, never zero. */
export const UsageSchema = builtOnUse(() =>
  z.object({
    inputTokens: z.number().min(0).optional(),
    outputTokens: z.number().min(0).optional(),
    /** The part of the input tokens that the service read from its cache. */
    cachedInputTokens: z.number().min(0).optional(),
    /** The part of the output tokens that the model used to reason. */
    reasoningTokens: z.number().min(0).optional(),
    /** Input and output tokens together. */
    totalTokens: z.number().min(0).optional(),
    /** The cost in US dollars. */
    costUsd: z.number().min(0).optional(),
  }),
);
/** What calls cost. A missing number is unknown, never zero. */
export interface Usage extends z.infer<typeof UsageSchema> {}

/** The total if it is known, otherwise input plus output. */
export function tokensOf(usage: Usage): number | undefined {
  if (usage.totalTokens !== undefined) return usage.totalTokens;
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return undefined;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

const ReportSchema = builtOnUse(() => {
  const ignored = z.unknown().optional();
  return z.strictObject({
    ...UsageSchema.shape,
    inputTokenDetails: z.object({ cacheReadTokens: z.number().min(0).optional() }).optional(),
    outputTokenDetails: z.object({ reasoningTokens: z.number().min(0).optional() }).optional(),
    raw: ignored,
  });
});

/**
 * The report may have the form of the AI SDK, whose `inputTokenDetails.cacheReadTokens` becomes
 * `cachedInputTokens`, and `outputTokenDetails.reasoningTokens` becomes `reasoningTokens`.
 */
export function readUsage(reported: unknown): Usage {
  const { data, error } = z.safeParse(ReportSchema, reported);
  if (data === undefined)
    throw new ReviewLoopError(
      'invalid_options',
      `the usage is invalid: ${z.prettifyError(error)}`,
      {
        cause: error,
        value: reported,
      },
    );
  const { inputTokenDetails, outputTokenDetails, raw: _, ...counts } = data;
  const usage = {
    cachedInputTokens: inputTokenDetails?.cacheReadTokens,
    reasoningTokens: outputTokenDetails?.reasoningTokens,
    ...counts,
  };
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined));
}

function isEmpty(usage: Usage): boolean {
  for (const _ in usage) return false;
  return true;
}

/** A number that both leave out stays unknown. */
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
