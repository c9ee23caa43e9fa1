import { loadPeer, mayBeAbsent } from '../../core/load-peer.js';
import type { OpenAIClient } from './openai-options.js';

/** Settings of a client of the `openai` package. */
export interface OpenAIClientSettings {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly fetch: typeof fetch;
}

/** Creates the client. With `baseURL`, it sends no key of the environment. */
export async function openaiClient({
  apiKey,
  baseURL,
  fetch,
}: OpenAIClientSettings): Promise<OpenAIClient> {
  const { OpenAI } = await loadPeer({ feature: 'openaiProvider', packages: ['openai'] }, () =>
    import('openai').catch(mayBeAbsent),
  );
  return new OpenAI({
    maxRetries: 0,
    fetch,
    ...(baseURL === undefined ? {} : { baseURL, organization: null, project: null }),
    ...keyOf(apiKey, baseURL),
  });
}

function keyOf(
  apiKey: string | undefined,
  baseURL: string | undefined,
): { readonly apiKey?: string } {
  if (apiKey !== undefined) return { apiKey };
  return baseURL === undefined ? {} : { apiKey: 'none' };
}
