import type { LLMProvider, LLMResult } from '../../../core/llm-provider.js';
import { loadPeer, mayBeAbsent } from '../../../core/load-peer.js';
import { elsewhere, filled, givenOf, invalid, oneOf } from '../../../core/options.js';
import {
  type ClientAddress,
  type Connection,
  checkClient,
  checkHttpOptions,
  clientOf,
  clientSettings,
  type ServiceRequest,
  serviceProvider,
} from '../shared/service-client.js';
import { chatApi } from './chat-api.js';
import type { OpenAIClient, OpenAIOptions } from './openai-options.js';
import { responsesApi } from './responses-api.js';

/**
 * Creates a provider for the `openai` package: OpenAI and every compatible server. The retries of
 * the package are disabled; use `withRetry`.
 *
 * @throws ReviewLoopError `invalid_options`; a call may reject with `peer_missing`
 * @example
 * ```ts
 * const baseURL = 'http://127.0.0.1:8000/v1';
 * const local = openaiProvider({ model: 'qwen3', baseURL, structured: 'json' });
 * ```
 */
export function openaiProvider(options: OpenAIOptions): LLMProvider {
  checkHttpOptions('openaiProvider', options, table);
  checkClient(options);
  const asking = (connection: Connection) => {
    const client = clientOf(options.client, connection, openaiClient);
    return async (call: ServiceRequest) =>
      ask(connection, call, { options, client: await client() });
  };
  return serviceProvider({ kind: 'openai', schemaSubset: 'openai', options, asking });
}

export async function openaiClient(address: ClientAddress): Promise<OpenAIClient> {
  const { OpenAI } = await loadPeer({ feature: 'openaiProvider', packages: ['openai'] }, () =>
    import('openai').catch(mayBeAbsent),
  );
  return new OpenAI({
    ...clientSettings(address),
    ...(address.baseURL !== undefined && { organization: null, project: null }),
  });
}

async function ask(
  { place, timeoutMs }: Connection,
  { request, structured, signal }: ServiceRequest,
  { options, client }: { readonly options: OpenAIOptions; readonly client: OpenAIClient },
): Promise<LLMResult> {
  const isChat = (options.api ?? 'chat') === 'chat';
  const { body, read } = isChat ? chatApi : responsesApi;
  const endpoint = isChat ? client.chat.completions : client.responses;
  if (endpoint === undefined)
    throw invalid('client', 'a client with `responses`, as api is "responses"', options.client);
  const headers = givenOf({ 'Idempotency-Key': request.idempotencyKey }, ['Idempotency-Key']);
  const settings = { signal, headers, maxRetries: 0, timeout: timeoutMs + 60_000 };
  const given = body(request, { ...options, structured });
  return read(place, request, await endpoint.create(given as never, settings as never));
}

const table = {
  ...{ client: elsewhere(), apiKey: filled(), api: oneOf('chat', 'responses') },
  tokenLimit: oneOf('max_completion_tokens', 'max_tokens'),
};
