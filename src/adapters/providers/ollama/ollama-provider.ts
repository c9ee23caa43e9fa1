import * as z from 'zod';
import {
  type FaultPlace,
  faultOfStatus,
  malformed,
  misshapen,
  throwErrorInside,
} from '../../../blocks/models/provider-fault.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { whole } from '../../../core/options.js';
import {
  askStructured,
  boundedFetch,
  callService,
  checkHttpOptions,
  defaultAnswerBytes,
  defaultTimeoutMs,
  type HttpOptions,
  idOf,
  objectOf,
  type Structured,
  systemOf,
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
  const {
    model,
    baseURL,
    timeoutMs = defaultTimeoutMs,
    maxAnswerBytes = defaultAnswerBytes,
    structured = 'strict',
  } = options;
  const id = options.id ?? idOf('ollama', model, baseURL);
  const place: FaultPlace = { id, secrets: [] };
  const url = new URL('api/chat', `${(baseURL ?? ollamaAddress).replace(/(?<!\/)\/+$/, '')}/`);
  const ask = boundedFetch(id, maxAnswerBytes);
  return {
    id,
    model,
    capabilities: {
      structured,
      schemaSubset: 'full',
      streaming: false,
      reportsUsage: true,
      reportsCost: false,
      ...(options.contextTokens !== undefined && { contextTokens: options.contextTokens }),
    },
    generate: askStructured(id, structured, (request, asked) =>
      callService({ place, signal: request.signal, timeoutMs }, async (signal) => {
        const response = await ask(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf(request, options, asked)),
          signal,
        });
        const text = await response.text();
        if (!response.ok)
          throw faultOfStatus(place, {
            status: response.status,
            message: text,
            headers: response.headers,
            body: text,
          });
        return resultOf(place, request, text);
      }),
    ),
  };
}

function bodyOf(
  request: LLMRequest,
  { model, contextTokens }: OllamaOptions,
  structured: Structured,
): object {
  const system = systemOf(request, structured);
  const { messages, schema, maxOutputTokens, temperature, seed, providerOptions } = request;
  const { options: more, ...fields } = providerOptions ?? {};
  return {
    // an error instead of a prompt that is cut, or forgotten during the answer; since Ollama 0.12.5
    truncate: false,
    shift: false,
    ...fields,
    model,
    stream: false,
    messages: [
      ...(system === undefined || system === '' ? [] : [{ role: 'system', content: system }]),
      ...messages.map(({ role, content }) => ({ role, content })),
    ],
    ...(schema === undefined || structured === 'prompt'
      ? {}
      : { format: structured === 'json' ? 'json' : schema }),
    options: {
      ...(typeof more === 'object' ? more : {}),
      ...(contextTokens === undefined ? {} : { num_ctx: contextTokens }),
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
    },
  };
}

function resultOf(place: FaultPlace, request: LLMRequest, text: string): LLMResult {
  const answer = jsonOf(place, text);
  throwErrorInside(place, answer);
  const parsed = AnswerSchema.safeParse(answer);
  if (!parsed.success) throw misshapen(place, parsed.error, text);
  const {
    message,
    model,
    done = true,
    done_reason: reason,
    prompt_eval_count: input,
    eval_count: output,
  } = parsed.data;
  const finish =
    done && (reason === 'stop' || reason === undefined)
      ? 'stop'
      : reason === 'length'
        ? 'length'
        : 'other';
  return {
    text: message.content,
    ...objectOf(request, message.content),
    finish,
    finishReason: reason,
    usage: usageFromCounts({ input, output }),
    model: model || place.id,
    ...(message.thinking ? { reasoning: message.thinking } : {}),
    warnings: [],
    attempts: 1,
    raw: { done, done_reason: reason, prompt_eval_count: input, eval_count: output },
  };
}

function jsonOf(place: FaultPlace, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(place, String(error), text);
  }
}
