import type { FaultPlace } from '../../../blocks/models/provider-fault.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { elsewhere, filled, invalid, oneOf } from '../../../core/options.js';
import {
  askStructured,
  boundedFetch,
  callService,
  checkHttpOptions,
  defaultAnswerBytes,
  defaultTimeoutMs,
  idOf,
  lazy,
} from '../shared/service-client.js';
import { chatApi } from './chat-api.js';
import { type OpenAIOptions, openaiClient } from './openai-client.js';
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
  check(options);
  const {
    model,
    apiKey,
    baseURL,
    api = 'chat',
    structured = 'strict',
    timeoutMs = defaultTimeoutMs,
    maxAnswerBytes = defaultAnswerBytes,
  } = options;
  const id = options.id ?? idOf('openai', model, baseURL);
  const place: FaultPlace = { id, secrets: [apiKey] };
  const spoken = api === 'chat' ? chatApi : responsesApi;
  const client = lazy(
    async () =>
      options.client ?? openaiClient({ apiKey, baseURL, fetch: boundedFetch(id, maxAnswerBytes) }),
  );
  return {
    id,
    model,
    capabilities: {
      structured,
      schemaSubset: 'openai',
      streaming: false,
      reportsUsage: true,
      reportsCost: false,
    },
    generate: askStructured(id, structured, async (request, asked) => {
      const answer = await callService(
        { place, signal: request.signal, timeoutMs },
        async (signal) => {
          const headers =
            request.idempotencyKey === undefined
              ? {}
              : { 'Idempotency-Key': request.idempotencyKey };
          const settings = { signal, headers, maxRetries: 0, timeout: timeoutMs + 60_000 };
          const { chat, responses } = await client();
          const create =
            api === 'chat'
              ? chat.completions.create.bind(chat.completions)
              : responses?.create.bind(responses);
          if (create === undefined)
            throw invalid(
              'client',
              'a client with `responses`, as api is "responses"',
              options.client,
            );
          return create(
            spoken.body(request, { ...options, structured: asked }) as never,
            settings as never,
          );
        },
      );
      return spoken.read(place, request, answer);
    }),
  };
}

const table = {
  ...{ client: elsewhere(), apiKey: filled(), api: oneOf('chat', 'responses') },
  tokenLimit: oneOf('max_completion_tokens', 'max_tokens'),
};

function check(options: OpenAIOptions): void {
  checkHttpOptions('openaiProvider', options, table);
  if (
    options.client !== undefined &&
    (options.apiKey !== undefined || options.baseURL !== undefined)
  )
    throw invalid('client', 'without `apiKey` and `baseURL`, which a client has itself', 'both');
}
