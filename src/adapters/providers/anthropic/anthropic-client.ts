import { loadPeer, mayBeAbsent } from '../../../core/load-peer.js';

/** A client of the `@anthropic-ai/sdk` package, version 1. */
export interface AnthropicClient {
  readonly messages: {
    readonly create: (body: never, options: never) => PromiseLike<unknown>;
  };
}

export interface AnthropicClientSettings {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly fetch: typeof fetch;
}

/** With `baseURL`, it sends no key of the environment. */
export async function anthropicClient({
  apiKey,
  baseURL,
  fetch,
}: AnthropicClientSettings): Promise<AnthropicClient> {
  const { Anthropic } = await loadPeer(
    { feature: 'anthropicProvider', packages: ['@anthropic-ai/sdk'] },
    () => import('@anthropic-ai/sdk').catch(mayBeAbsent),
  );
  const key = apiKey ?? (baseURL === undefined ? undefined : 'none');
  return new Anthropic({
    maxRetries: 0,
    fetch,
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(key === undefined ? {} : { apiKey: key }),
  });
}
