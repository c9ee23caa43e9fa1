import * as z from 'zod';
import { type FaultPlace, misshapen, refused } from '../../../blocks/models/provider-fault.js';
import {
  finishes,
  type LLMProvider,
  type LLMRequest,
  type LLMResult,
} from '../../../core/llm-provider.js';
import { checkKeys, checkPositive, filled, givenOf, invalid } from '../../../core/options.js';
import type { Usage } from '../../../core/usage.js';
import {
  askStructured,
  callService,
  defaultTimeoutMs,
  objectOf,
  type Structured,
  schemaNameOf,
  systemMessage,
  textBeside,
  toldUsage,
  usageFromCounts,
} from '../shared/service-client.js';

/** A language model of the Vercel AI SDK: specification `v2` (ai 5), `v3` (ai 6) or `v4` (ai 7). */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly doGenerate: (options: never) => PromiseLike<unknown>;
}

export interface AiSdkOptions {
  /**
   * The id of the provider, in messages and cache keys.
   *
   * @default provider and model id of the model
   */
  readonly id?: string | undefined;
  /** How a schema is enforced. @default 'strict', or 'json' for models without structured output */
  readonly structured?: LLMProvider['capabilities']['structured'] | undefined;
  /**
   * The part of JSON Schema that the model accepts.
   *
   * @default 'anthropic' for models of Anthropic, else 'openai'
   */
  readonly schemaSubset?: LLMProvider['capabilities']['schemaSubset'] | undefined;
  /**
   * Keys of the model to remove from errors. Texts that look like keys are always removed.
   *
   * @default []
   */
  readonly secrets?: readonly string[] | undefined;
  /** Timeout of one call, in milliseconds. @default 300000 */
  readonly timeoutMs?: number | undefined;
}

const versions = ['v2', 'v3', 'v4'];

/**
 * Creates a provider from a language model of the Vercel AI SDK. The model is called directly, so
 * that retries, limits and budgets are those of this library.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const provider = aiSdkProvider(anthropic('claude-sonnet-5-5'));
 * ```
 */
export function aiSdkProvider(model: AiSdkModel, options: AiSdkOptions = {}): LLMProvider {
  checkModel(model);
  checkKeys('aiSdkProvider', options, ['id', 'structured', 'schemaSubset', 'secrets', 'timeoutMs']);
  if (options.id !== undefined) filled()('id', options.id);
  checkPositive('timeoutMs', options.timeoutMs);
  const { id = `${model.provider}:${model.modelId}`, timeoutMs = defaultTimeoutMs } = options;
  const structured =
    options.structured ??
    ('supportsStructuredOutputs' in model && model.supportsStructuredOutputs === false
      ? 'json'
      : 'strict');
  const schemaSubset =
    options.schemaSubset ?? (/anthropic/i.test(model.provider) ? 'anthropic' : 'openai');
  const place: FaultPlace = { id, secrets: options.secrets ?? [] };
  return {
    id,
    model: model.modelId,
    capabilities: { ...toldUsage, structured, schemaSubset },
    generate: askStructured(id, structured, async (request, asked) => {
      const answer = await callService({ place, signal: request.signal, timeoutMs }, (signal) =>
        model.doGenerate(callOptions(request, asked, signal) as never),
      );
      return resultOf(place, model, request, answer);
    }),
  };
}

function checkModel(model: unknown): void {
  if (
    typeof model !== 'object' ||
    model === null ||
    !('doGenerate' in model) ||
    typeof model.doGenerate !== 'function'
  )
    throw invalid(
      'model',
      "a language model of the AI SDK, such as openai('...'); an id alone needs a gateway",
      model,
    );
  const { specificationVersion } = model as unknown as AiSdkModel;
  if (!versions.includes(specificationVersion))
    throw invalid('model.specificationVersion', versions.join(', '), specificationVersion);
}

function callOptions(
  request: LLMRequest,
  structured: Structured,
  abortSignal: AbortSignal,
): object {
  const { schema, idempotencyKey } = request;
  const format = {
    type: 'json',
    name: schemaNameOf(request),
    ...(structured === 'json' ? {} : { schema }),
  };
  return {
    prompt: [
      ...systemMessage(request, structured),
      ...request.messages.map(({ role, content }) => ({
        role,
        content: [{ type: 'text', text: content }],
      })),
    ],
    ...(schema === undefined || structured === 'prompt' ? {} : { responseFormat: format }),
    ...givenOf(request, ['maxOutputTokens', 'temperature', 'seed', 'providerOptions']),
    ...(idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } }),
    abortSignal,
  };
}

function resultOf(
  place: FaultPlace,
  { modelId }: AiSdkModel,
  request: LLMRequest,
  answer: unknown,
): LLMResult {
  const parsed = AiSdkResultSchema.safeParse(answer);
  if (!parsed.success) throw misshapen(place, parsed.error);
  const { data } = parsed;
  const { text, structured } = textsOf(data);
  const usage = usageOf(data);
  const { finish, raw } = finishOf(data.finishReason);
  if (raw === 'refusal' || data.refusal !== undefined)
    throw refused(place, data.refusal ?? text, usage);
  const reasoning = joined(data.content, 'reasoning');
  return {
    text,
    ...objectOf(request, structured),
    finish,
    finishReason: raw,
    usage,
    model: data.response?.modelId ?? modelId,
    ...(reasoning === '' ? {} : { reasoning }),
    warnings: data.warnings.map(warningOf),
    attempts: 1,
    raw: { finishReason: data.finishReason, usage: data.usage, id: data.response?.id },
  };
}

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

const AiSdkResultSchema = z
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

type AiSdkResult = z.infer<typeof AiSdkResultSchema>;

function textsOf({ content, structuredOutputText }: AiSdkResult): {
  readonly text: string;
  readonly structured: string;
} {
  const said = joined(content, 'text');
  const structured = structuredOutputText ?? said;
  return { text: textBeside(said, structured), structured };
}

/** A text in v2, an object with the word of the vendor in v3 and v4. */
function finishOf(reason: AiSdkResult['finishReason']): {
  readonly finish: LLMResult['finish'];
  readonly raw: string | undefined;
} {
  const unified = typeof reason === 'string' ? reason : reason?.unified;
  const raw = typeof reason === 'object' ? (reason.raw ?? undefined) : undefined;
  const found = finishes.find((finish) => finish === unified);
  return { finish: found ?? 'other', raw };
}

function usageOf({ usage, providerMetadata: written }: AiSdkResult): Usage {
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

function warningOf(warning: Readonly<Record<string, unknown>>): string {
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

/** It is in the response of the vendor: the specification does not define it. */
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
