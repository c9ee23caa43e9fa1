import * as z from 'zod';
import { faultOfStatus, malformed } from '../../../blocks/models/provider-fault.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { givenOf, whole } from '../../../core/options.js';
import {
  answerAs,
  type Connection,
  checkHttpOptions,
  type HttpOptions,
  resultOf,
  type ServiceRequest,
  serviceProvider,
  systemMessage,
  usageFromCounts,
} from '../shared/service-client.js';

export interface OllamaOptions extends HttpOptions {
  /** The name of the model. */
  readonly model: string;
  /** The URL of the server. @default 'http://127.0.0.1:11434' */
  readonly baseURL?: string | undefined;
  /**
   * Largest number of tokens of prompt and answer together (`num_ctx`); from 1. A longer prompt
   * is not judged.
   *
   * @default the setting of the Ollama server
   */
  readonly contextTokens?: number | undefined;
}

export const ollamaAddress = 'http://127.0.0.1:11434';

const count = z.number().optional().catch(undefined);
const AnswerSchema = z.looseObject({
  model: z.string().optional(),
  message: z.looseObject({ content: z.string(), thinking: z.string().optional() }),
  done: z.boolean().optional(),
  done_reason: z.string().optional(),
  prompt_eval_count: count,
  eval_count: count,
});

/**
 * Creates a provider for an Ollama server. It uses `fetch` and needs no package.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const provider = ollamaProvider({ model: 'qwen3:8b' });
 * ```
 */
export function ollamaProvider(options: OllamaOptions): LLMProvider {
  checkHttpOptions('ollamaProvider', options, { contextTokens: whole(1) });
  return serviceProvider({
    kind: 'ollama',
    schemaSubset: 'full',
    options,
    asking: (connection) => (call) => ask(connection, call, options),
  });
}

async function ask(
  { place, fetch, baseURL = ollamaAddress }: Connection,
  { request, structured, signal }: ServiceRequest,
  options: OllamaOptions,
): Promise<LLMResult> {
  const response = await fetch(new URL('api/chat', `${baseURL.replace(/(?<!\/)\/+$/, '')}/`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(request, options, structured)),
    signal,
  });
  const { status, headers } = response;
  const text = await response.text();
  if (!response.ok) throw faultOfStatus(place, { status, message: text, headers, body: text });
  const {
    message,
    model,
    done = true,
    done_reason: reason,
    prompt_eval_count: input,
    eval_count: output,
  } = answerAs(AnswerSchema, { place, answer: jsonOf(place, text) });
  return resultOf(place, request, {
    text: message.content,
    finish: finishOf(done, reason),
    finishReason: reason,
    usage: usageFromCounts({ input, output }),
    model,
    reasoning: message.thinking,
    raw: { done, done_reason: reason, prompt_eval_count: input, eval_count: output },
  });
}

function finishOf(done: boolean, reason: string | undefined): LLMResult['finish'] {
  if (done && (reason === 'stop' || reason === undefined)) return 'stop';
  return reason === 'length' ? 'length' : 'other';
}

function bodyOf(
  request: LLMRequest,
  { model, contextTokens: num_ctx }: OllamaOptions,
  structured: ServiceRequest['structured'],
): object {
  const { messages, schema, maxOutputTokens: num_predict, providerOptions } = request;
  const { options: more, ...fields } = providerOptions ?? {};
  return {
    // an error instead of a prompt that is cut, or forgotten during the answer; since Ollama 0.12.5
    truncate: false,
    shift: false,
    ...fields,
    model,
    stream: false,
    messages: [
      ...systemMessage(request, structured),
      ...messages.map(({ role, content }) => ({ role, content })),
    ],
    ...(schema !== undefined &&
      structured !== 'prompt' && { format: structured === 'json' ? 'json' : schema }),
    options: {
      ...(typeof more === 'object' ? more : {}),
      ...givenOf({ num_ctx, num_predict }, ['num_ctx', 'num_predict']),
      ...givenOf(request, ['temperature', 'seed']),
    },
  };
}

function jsonOf(place: Connection['place'], text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(place, String(error), text);
  }
}
