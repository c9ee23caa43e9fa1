import * as z from 'zod';
import { type FaultPlace, refused } from '../../../blocks/models/provider-fault.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { loadPeer, mayBeAbsent } from '../../../core/load-peer.js';
import { elsewhere, filled, flag, givenOf, whole } from '../../../core/options.js';
import {
  AnthropicUsageSchema,
  answerAs,
  anthropicUsage,
  type ClientAddress,
  type Connection,
  checkClient,
  checkHttpOptions,
  clientOf,
  clientSettings,
  type HttpOptions,
  resultOf,
  type ServiceRequest,
  serviceProvider,
  systemOf,
  unsupported,
} from '../shared/service-client.js';

/** A client of the `@anthropic-ai/sdk` package, version 1. */
export interface AnthropicClient {
  readonly messages: {
    readonly create: (body: never, options: never) => PromiseLike<unknown>;
  };
}

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
  checkHttpOptions('anthropicProvider', options, table);
  checkClient(options);
  const asking = (connection: Connection) => {
    const client = clientOf(options.client, connection, anthropicClient);
    return async ({ request, structured, signal }: ServiceRequest) => {
      const { messages } = await client();
      const settings = { signal, maxRetries: 0, timeout: connection.timeoutMs + 60_000 };
      const body = bodyOf(request, options, structured);
      const answer = await messages.create(body as never, settings as never);
      return readMessage(connection.place, request, answer);
    };
  };
  return serviceProvider({ kind: 'anthropic', schemaSubset: 'anthropic', options, asking });
}

export async function anthropicClient(address: ClientAddress): Promise<AnthropicClient> {
  const { Anthropic } = await loadPeer(
    { feature: 'anthropicProvider', packages: ['@anthropic-ai/sdk'] },
    () => import('@anthropic-ai/sdk').catch(mayBeAbsent),
  );
  return new Anthropic(clientSettings(address));
}

function bodyOf(
  request: LLMRequest,
  { model, maxOutputTokens = 16_384, cacheSystem = true }: AnthropicOptions,
  structured: ServiceRequest['structured'],
): object {
  const { schema, providerOptions } = request;
  const text = systemOf(request, structured);
  const mark = cacheSystem ? cacheMark : {};
  const format = { type: 'json_schema', schema };
  return {
    ...providerOptions,
    model,
    max_tokens: request.maxOutputTokens ?? maxOutputTokens,
    ...(text !== undefined && { system: [{ type: 'text', text, ...mark }] }),
    messages: messagesOf(request),
    ...(schema !== undefined &&
      structured === 'strict' && {
        output_config: { ...givenConfig(providerOptions), format },
      }),
    ...givenOf(request, ['temperature']),
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

function readMessage(place: FaultPlace, request: LLMRequest, answer: unknown): LLMResult {
  const message = answerAs(MessageSchema, { place, answer });
  const { id, model, content, usage, stop_reason: stopReason, stop_details: details } = message;
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
  return resultOf(place, request, {
    text: written,
    finish: finishes[stopReason ?? ''] ?? 'other',
    finishReason: stopReason ?? undefined,
    usage: used,
    model,
    reasoning,
    warnings: unsupported(request, ['seed']),
    raw: { id, stop_reason: stopReason, usage },
  });
}
