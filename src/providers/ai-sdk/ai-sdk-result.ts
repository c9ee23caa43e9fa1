import * as z from 'zod';
import { finishes, type LLMResult } from '../../core/llm-provider.js';
import type { Usage } from '../../core/usage.js';
import { usageFromCounts } from '../shared/service-client.js';
import { textBeside } from '../shared/structured-output.js';

const count = z.number().nullish();

const NestedUsageSchema = z.looseObject({
  inputTokens: z.looseObject({ total: count, cacheRead: count }).nullish(),
  outputTokens: z.looseObject({ total: count }).nullish(),
});
const FlatUsageSchema = z.looseObject({
  inputTokens: count,
  outputTokens: count,
  totalTokens: count,
  cachedInputTokens: count,
});

/** What Anthropic's models tell beside a flat usage, which leaves out what the cache has. */
const CacheSchema = z.union([
  z
    .looseObject({ anthropic: z.looseObject({ cacheCreationInputTokens: count }) })
    .transform(({ anthropic }) => anthropic.cacheCreationInputTokens ?? 0),
  z
    .looseObject({
      bedrock: z.looseObject({ usage: z.looseObject({ cacheWriteInputTokens: count }) }),
    })
    .transform(({ bedrock }) => bedrock.usage.cacheWriteInputTokens ?? 0),
]);

const ResponseSchema = z.looseObject({
  id: z.string().optional().catch(undefined),
  modelId: z.string().min(1).optional().catch(undefined),
});

/** The result of `doGenerate` in the specifications v2, v3 and v4. */
export const AiSdkResultSchema = z
  .looseObject({
    content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
    structuredOutputText: z.string().optional(),
    finishReason: z
      .union([z.string(), z.looseObject({ unified: z.string(), raw: z.string().nullish() })])
      .optional(),
    usage: z.union([NestedUsageSchema, FlatUsageSchema]).optional().catch(undefined),
    warnings: z.array(z.looseObject({ type: z.string() })).optional(),
    response: ResponseSchema.optional().catch(undefined),
    providerMetadata: CacheSchema.optional().catch(undefined),
  })
  .transform((result) => ({
    ...result,
    warnings: result.warnings ?? [],
    refusal: refusalOf(result['response']),
  }));
/** The result of `doGenerate`. */
type AiSdkResult = z.infer<typeof AiSdkResultSchema>;

/** Returns the structured answer of the model, and its text. */
export function textsOf({ content, structuredOutputText }: AiSdkResult): {
  readonly text: string;
  readonly structured: string;
} {
  const said = joined(content, 'text');
  const structured = structuredOutputText ?? said;
  return { text: textBeside(said, structured), structured };
}

export function reasoningOf({ content }: AiSdkResult): string {
  return joined(content, 'reasoning');
}

/** Returns the finish reason: a text in v2, an object with the word of the vendor in v3 and v4. */
export function finishOf(reason: AiSdkResult['finishReason']): {
  readonly finish: LLMResult['finish'];
  readonly raw: string | undefined;
} {
  const unified = typeof reason === 'string' ? reason : reason?.unified;
  const raw = typeof reason === 'object' ? (reason.raw ?? undefined) : undefined;
  const found = finishes.find((finish) => finish === unified);
  return { finish: found ?? 'other', raw };
}

/** Returns the usage, which is flat in v2 and nested in v3 and v4. */
export function usageOf({ usage, providerMetadata: written }: AiSdkResult): Usage {
  if (usage === undefined) return {};
  const { inputTokens: input, outputTokens: output } = usage;
  if (typeof input === 'object' || typeof output === 'object') {
    const nested = NestedUsageSchema.parse(usage);
    return usageFromCounts({
      input: nested.inputTokens?.total,
      output: nested.outputTokens?.total,
      cached: nested.inputTokens?.cacheRead,
    });
  }
  const flat = FlatUsageSchema.parse(usage);
  const cached = flat.cachedInputTokens;
  return usageFromCounts({
    input:
      written === undefined ? flat.inputTokens : (flat.inputTokens ?? 0) + (cached ?? 0) + written,
    output: flat.outputTokens,
    total: written === undefined ? flat.totalTokens : undefined,
    cached,
  });
}

/** Returns a warning of any kind as one line. */
export function warningOf(warning: Readonly<Record<string, unknown>>): string {
  const { type, message, setting, feature, details } = warning;
  if (typeof message === 'string') return message;
  return [type, setting ?? feature, details]
    .filter((part): part is string => typeof part === 'string')
    .join(': ');
}

function joined(content: AiSdkResult['content'], type: string): string {
  return content
    .filter((part) => part.type === type)
    .map(({ text = '' }) => text)
    .join('');
}

/** Returns a refusal in the response of the vendor, which the specification does not define. */
function refusalOf(response: unknown): string | undefined {
  const found = RefusalBodySchema.safeParse(response);
  if (!found.success) return undefined;
  const { choices = [], output = [] } = found.data.body;
  const said = [
    ...choices.map(({ message }) => message?.refusal),
    ...output.flatMap((item) => (item.content ?? []).map(({ refusal }) => refusal)),
  ];
  return said.find((text) => typeof text === 'string' && text !== '') ?? undefined;
}

const text = z.string().nullish().catch(undefined);
const RefusalBodySchema = z.looseObject({
  body: z.looseObject({
    choices: z
      .array(z.looseObject({ message: z.looseObject({ refusal: text }).optional() }))
      .optional(),
    output: z
      .array(z.looseObject({ content: z.array(z.looseObject({ refusal: text })).optional() }))
      .optional(),
  }),
});
