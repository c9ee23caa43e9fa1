import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import type { Usage } from '../../core/usage.js';
import { endWords } from '../shared/ending.js';
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

const generation = builtOnUse(() =>
  z.object({
    message: z
      .object({
        usage_metadata: usageMetadata.optional().catch(undefined),
        response_metadata: z.unknown().optional(),
      })
      .optional(),
    generationInfo: z.unknown().optional(),
  }),
);

const modelResult = builtOnUse(() =>
  z.object({
    generations: z.array(z.array(generation)),
  }),
);

/**
 * Returns a callback of LangChain that reports what each model call of a graph used, and keeps the
 * words with which the last one ended.
 */
export function modelCallback(
  report: (usage: Usage) => void,
  words: string[],
): {
  readonly name: string;
  readonly handleLLMEnd: (output: unknown) => void;
} {
  return {
    name: 'reviewloop-model',
    handleLLMEnd: (output) => {
      const { data } = modelResult.safeParse(output);
      const { message, generationInfo } = data?.generations[0]?.[0] ?? {};
      words.splice(0, words.length, ...endWords(message?.response_metadata ?? generationInfo));
      const used = message?.usage_metadata;
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
