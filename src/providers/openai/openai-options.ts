import type { LLMRequest, LLMResult } from '../../core/llm-provider.js';
import type { FaultPlace } from '../../model/provider-fault.js';
import type { HttpOptions } from '../shared/http-options.js';

/** One endpoint of a client. */
export interface OpenAIEndpoint {
  /** Makes one call. */
  readonly create: (body: never, options: never) => PromiseLike<unknown>;
}

/** What is needed of a client of the `openai` package, version 6 or 7. */
export interface OpenAIClient {
  readonly chat: { readonly completions: OpenAIEndpoint };
  readonly responses?: OpenAIEndpoint | undefined;
}

/** Which model is asked, where and how. */
export interface OpenAIOptions extends HttpOptions {
  readonly model: string;
  /** A client of your own; without one the package `openai` is loaded at the first call. */
  readonly client?: OpenAIClient | undefined;
  /** @default OPENAI_API_KEY of the environment; with `baseURL` no key of the environment is sent */
  readonly apiKey?: string | undefined;
  /** Another service of the same protocol: vLLM, LM Studio, the server of llama.cpp, OpenRouter. @default the service of OpenAI */
  readonly baseURL?: string | undefined;
  /** @default 'chat', which every compatible server knows */
  readonly api?: 'chat' | 'responses' | undefined;
  /** How a schema is enforced: by the server, as JSON only, or by the prompt alone. @default 'strict' */
  readonly structured?: 'strict' | 'json' | 'prompt' | undefined;
  /** The name of the field for `maxOutputTokens` in the chat interface. @default 'max_tokens' with `baseURL`, else 'max_completion_tokens' */
  readonly tokenLimit?: 'max_completion_tokens' | 'max_tokens' | undefined;
}

/** One of the two interfaces of the protocol. */
export interface OpenAIApi {
  readonly body: (request: LLMRequest, options: OpenAIOptions) => object;
  readonly read: (place: FaultPlace, request: LLMRequest, answer: unknown) => LLMResult;
}
