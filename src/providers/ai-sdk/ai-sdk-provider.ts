import type { LLMProvider, LLMRequest, LLMResult } from '../../core/llm-provider.js';
import { checkKeys, checkPositive, filled, invalid } from '../../core/options.js';
import { type FaultPlace, misshapen, refused } from '../../model/provider-fault.js';
import { callService } from '../shared/call-service.js';
import { defaultTimeoutMs } from '../shared/http-options.js';
import { objectOf, type Structured, schemaNameOf, systemOf } from '../shared/structured-output.js';
import {
  AiSdkResultSchema,
  finishOf,
  reasoningOf,
  textsOf,
  usageOf,
  warningOf,
} from './ai-sdk-result.js';

/** A language model of the Vercel AI SDK: specification `v2` (ai 5), `v3` (ai 6) or `v4` (ai 7). */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** Makes one call. */
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
  readonly structured?: Structured | undefined;
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
    capabilities: {
      structured,
      schemaSubset,
      streaming: false,
      reportsUsage: true,
      reportsCost: false,
    },
    generate: async (request) => {
      const answer = await callService({ place, signal: request.signal, timeoutMs }, (signal) =>
        model.doGenerate(callOptions(request, structured, signal) as never),
      );
      return resultOf(place, model, request, answer);
    },
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
  const system = systemOf(request, structured);
  const { schema, maxOutputTokens, temperature, seed, providerOptions, idempotencyKey } = request;
  const format = {
    type: 'json',
    name: schemaNameOf(request),
    ...(structured === 'json' ? {} : { schema }),
  };
  return {
    prompt: [
      ...(system === undefined || system === '' ? [] : [{ role: 'system', content: system }]),
      ...request.messages.map(({ role, content }) => ({
        role,
        content: [{ type: 'text', text: content }],
      })),
    ],
    ...(schema === undefined || structured === 'prompt' ? {} : { responseFormat: format }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
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
  const reasoning = reasoningOf(data);
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
