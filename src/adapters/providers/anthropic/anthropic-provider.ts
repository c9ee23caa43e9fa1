import * as z from 'zod';
import {
  type FaultPlace,
  misshapen,
  refused,
  throwErrorInside,
} from '../../../blocks/models/provider-fault.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { elsewhere, filled, flag, invalid, whole } from '../../../core/options.js';
import {
  AnthropicUsageSchema,
  anthropicUsage,
  askStructured,
  boundedFetch,
  callService,
  checkHttpOptions,
  defaultAnswerBytes,
  defaultTimeoutMs,
  type HttpOptions,
  idOf,
  lazy,
  objectOf,
  type Structured,
  systemOf,
  unsupported,
} from '../shared/service-client.js';
import { type AnthropicClient, anthropicClient } from './anthropic-client.js';

export interface AnthropicOptions extends HttpOptions {
  /** The name of the model. */
  readonly model: string;
  /**
   * Your own client.
   *
   * @default a client of the package `@anthropic-ai/sdk`, which the first call loads
   */
  readonly client?: AnthropicClient | undefined;
  /**
   * The API key.
   *
   * @default the key that the package finds in the environment; none if `baseURL` is set
   */
  readonly apiKey?: string | undefined;
  /** The URL of the service. @default the service of Anthropic */
  readonly baseURL?: string | undefined;
  /** `max_tokens` of requests without `maxOutputTokens`; from 1. @default 16384 */
  readonly maxOutputTokens?: number | undefined;
  /** Whether the service caches the system prompt. @default true */
  readonly cacheSystem?: boolean | undefined;
}

/**
 * Creates a provider for the `@anthropic-ai/sdk` package, with structured outputs. The retries of
 * the package are disabled; use `withRetry`.
 *
 * @throws ReviewLoopError `invalid_options`; a call may reject with `peer_missing`
 * @example
 * ```ts
 * const provider = anthropicProvider({ model: 'claude-sonnet-5-5' });
 * ```
 */
export function anthropicProvider(options: AnthropicOptions): LLMProvider {
  check(options);
  const {
    model,
    apiKey,
    baseURL,
    timeoutMs = defaultTimeoutMs,
    maxAnswerBytes = defaultAnswerBytes,
    structured = 'strict',
  } = options;
  const id = options.id ?? idOf('anthropic', model, baseURL);
  const place: FaultPlace = { id, secrets: [apiKey] };
  const client = lazy(
    async () =>
      options.client ??
      anthropicClient({ apiKey, baseURL, fetch: boundedFetch(id, maxAnswerBytes) }),
  );
  return {
    id,
    model,
    capabilities: {
      structured,
      schemaSubset: 'anthropic',
      streaming: false,
      reportsUsage: true,
      reportsCost: false,
    },
    generate: askStructured(id, structured, async (request, asked) => {
      const answer = await callService(
        { place, signal: request.signal, timeoutMs },
        async (signal) => {
          const { messages } = await client();
          return messages.create(
            bodyOf(request, options, asked) as never,
            { signal, maxRetries: 0, timeout: timeoutMs + 60_000 } as never,
          );
        },
      );
      return readMessage(place, request, answer);
    }),
  };
}

function bodyOf(
  request: LLMRequest,
  { model, maxOutputTokens = 16_384, cacheSystem = true }: AnthropicOptions,
  structured: Structured,
): object {
  const { schema, temperature, providerOptions } = request;
  const system = systemOf(request, structured);
  const mark = cacheSystem ? cacheMark : {};
  return {
    ...providerOptions,
    model,
    max_tokens: request.maxOutputTokens ?? maxOutputTokens,
    ...(system === undefined || system === ''
      ? {}
      : { system: [{ type: 'text', text: system, ...mark }] }),
    messages: messagesOf(request),
    ...(schema === undefined || structured !== 'strict'
      ? {}
      : {
          output_config: {
            ...givenConfig(providerOptions),
            format: { type: 'json_schema', schema },
          },
        }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

const cacheMark = { cache_control: { type: 'ephemeral' } };

/** With the hint, the service caches them up to the last shared message. */
function messagesOf({ messages, cacheHint }: LLMRequest): object[] {
  const shared = cacheHint === 'prefix' ? messages.length - 2 : -1;
  return messages.map(({ role, content }, index) => ({
    role,
    content: index === shared ? [{ type: 'text', text: content, ...cacheMark }] : content,
  }));
}

function givenConfig(providerOptions: LLMRequest['providerOptions']): object {
  const given = providerOptions?.['output_config'];
  return typeof given === 'object' && given !== null ? given : {};
}

const table = {
  ...{ client: elsewhere(), apiKey: filled(), maxOutputTokens: whole(1), cacheSystem: flag },
};

function check(options: AnthropicOptions): void {
  checkHttpOptions('anthropicProvider', options, table);
  if (
    options.client !== undefined &&
    (options.apiKey !== undefined || options.baseURL !== undefined)
  )
    throw invalid('client', 'without `apiKey` and `baseURL`, which a client has itself', 'both');
}

const text = z.string().nullish();

const MessageSchema = z.looseObject({
  id: text,
  model: text,
  stop_reason: text,
  stop_details: z.looseObject({ explanation: text, category: text }).nullish().catch(undefined),
  content: z.array(z.looseObject({ type: z.string(), text, thinking: text })),
  usage: AnthropicUsageSchema,
});

const finishes: Readonly<Record<string, LLMResult['finish']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
};

export function readMessage(place: FaultPlace, request: LLMRequest, answer: unknown): LLMResult {
  throwErrorInside(place, answer);
  const parsed = MessageSchema.safeParse(answer);
  if (!parsed.success) throw misshapen(place, parsed.error, answer);
  const { id, model, content, usage, stop_reason: stopReason, stop_details: details } = parsed.data;
  const written = content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
  const reasoning = content
    .map((part) => (part.type === 'thinking' ? (part.thinking ?? '') : ''))
    .join('');
  const used = anthropicUsage(usage);
  if (stopReason === 'refusal')
    throw refused(
      place,
      [details?.category, details?.explanation ?? written].filter(Boolean).join(': '),
      used,
    );
  return {
    text: written,
    ...objectOf(request, written),
    finish: finishes[stopReason ?? ''] ?? 'other',
    finishReason: stopReason ?? undefined,
    usage: used,
    model: model || place.id,
    ...(reasoning === '' ? {} : { reasoning }),
    warnings: unsupported(request, ['seed']),
    attempts: 1,
    raw: { id, stop_reason: stopReason, usage },
  };
}
