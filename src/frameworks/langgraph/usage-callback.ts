import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import type { Usage } from '../../core/usage.js';
import { knownOf } from '../shared/usage-of.js';

const count = builtOnUse(() => z.number().min(0).optional());

const usageMetadata = builtOnUse(() =>
  z.object({
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_token_details: z.object({ cache_read: count }).optional(),
    output_token_details: z.object({ reasoning: count }).optional(),
  }),
);

const modelResult = builtOnUse(() =>
  z.object({
    generations: z.array(
      z.array(z.object({ message: z.object({ usage_metadata: usageMetadata }) })),
    ),
  }),
);

/** Returns a callback of LangChain that reports what each model call of a graph used. */
export function usageCallback(report: (usage: Usage) => void): {
  readonly name: string;
  readonly handleLLMEnd: (output: unknown) => void;
} {
  return {
    name: 'reviewloop-usage',
    handleLLMEnd: (output) => {
      const { data } = modelResult.safeParse(output);
      const used = data?.generations[0]?.[0]?.message.usage_metadata;
      if (used === undefined) return;
      report(
        knownOf({
          inputTokens: used.input_tokens,
          outputTokens: used.output_tokens,
          totalTokens: used.total_tokens,
          cachedInputTokens: used.input_token_details?.cache_read,
          reasoningTokens: used.output_token_details?.reasoning,
        }),
      );
    },
  };
}
