import type { FaultPlace } from '../../../blocks/models/provider-fault.js';
import type { LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import type { HttpOptions } from '../shared/service-client.js';

interface OpenAIEndpoint {
  readonly create: (body: never, options: never) => PromiseLike<unknown>;
}

/** A client of the `openai` package, version 6 or 7. */
export interface OpenAIClient {
  readonly chat: { readonly completions: OpenAIEndpoint };
  readonly responses?: OpenAIEndpoint | undefined;
}

export interface OpenAIOptions extends HttpOptions {
  /** The name of the model. */
  readonly model: string;
  /** Your own client. @default a client of the package `openai`, which the first call loads */
  readonly client?: OpenAIClient | undefined;
  /** The API key. @default OPENAI_API_KEY of the environment; none if `baseURL` is set */
  readonly apiKey?: string | undefined;
  /**
   * The URL of a compatible service, such as vLLM, LM Studio, llama.cpp or OpenRouter.
   *
   * @default the service of OpenAI
   */
  readonly baseURL?: string | undefined;
  /** The API of the service. Every compatible server has `chat`. @default 'chat' */
  readonly api?: 'chat' | 'responses' | undefined;
  /**
   * The field for `maxOutputTokens` in the chat API.
   *
   * @default 'max_tokens' with `baseURL`, else 'max_completion_tokens'
   */
  readonly tokenLimit?: 'max_completion_tokens' | 'max_tokens' | undefined;
}

export interface OpenAIApi {
  readonly body: (request: LLMRequest, options: OpenAIOptions) => object;
  readonly read: (place: FaultPlace, request: LLMRequest, answer: unknown) => LLMResult;
}
