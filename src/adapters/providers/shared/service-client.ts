import * as z from 'zod';
import { modelErrors } from '../../../blocks/models/errors.js';
import {
  cancelledBy,
  type FaultPlace,
  faultOfThrown,
  refusesSchema,
} from '../../../blocks/models/provider-fault.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import {
  checkPositive,
  checkTable,
  filled,
  fits,
  oneOf,
  required,
  whole,
} from '../../../core/options.js';
import type { Usage } from '../../../core/usage.js';
import { systemClock } from '../../../ports/clock.js';

/** After a failure, the next call tries again. */
export function lazy<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Fails for a larger response. */
export function boundedFetch(id: string, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.length;
        if (bytes > maxBytes)
          throw new ReviewLoopError(
            modelErrors.provider_malformed,
            `the answer of ${id} is larger than the ${maxBytes} bytes allowed`,
            { value: { maxBytes } },
          );
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counter), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

export interface Counts {
  readonly input?: number | null | undefined;
  readonly output?: number | null | undefined;
  readonly total?: number | null | undefined;
  readonly cached?: number | null | undefined;
  readonly costUsd?: number | null | undefined;
}

/** If input and output are both 0, they are unknown. */
export function usageFromCounts({ input, output, total, cached, costUsd }: Counts): Usage {
  const usage: Usage = {};
  const set = (key: keyof Usage, value: number | null | undefined): void => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) usage[key] = value;
  };
  if ((input ?? 0) > 0 || (output ?? 0) > 0) {
    set('inputTokens', input);
    set('outputTokens', output);
    set('cachedInputTokens', cached);
    set('totalTokens', total);
  }
  set('costUsd', costUsd);
  return usage;
}

export interface ServiceCall {
  readonly place: FaultPlace;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Every failure becomes an error of this library. The call ends when its signal is aborted or its
 * timeout is over, even if the client ignores that.
 */
export async function callService<Value>(
  { place, signal, timeoutMs }: ServiceCall,
  call: (signal: AbortSignal) => PromiseLike<Value>,
): Promise<Value> {
  if (signal.aborted) throw cancelledBy(signal, place.id);
  const deadline = new AbortController();
  const cancel = systemClock.after(timeoutMs, () => deadline.abort());
  const either = AbortSignal.any([signal, deadline.signal]);
  const over = new Promise<never>((_, reject) =>
    either.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
  );
  try {
    return await Promise.race([call(either), over]);
  } catch (error) {
    if (signal.aborted) throw cancelledBy(signal, place.id);
    if (deadline.signal.aborted)
      throw new ReviewLoopError(
        modelErrors.provider_timeout,
        `${place.id} did not answer within ${timeoutMs} ms`,
        { retryable: true },
      );
    throw faultOfThrown(place, error);
  } finally {
    cancel();
  }
}

/** The options of each provider that uses HTTP. */
export interface HttpOptions {
  /**
   * The id of the provider, in messages and cache keys.
   *
   * @default kind, model and, with `baseURL`, host
   */
  readonly id?: string | undefined;
  /**
   * Timeout of one call, in milliseconds. Node itself stops after five minutes without an answer.
   *
   * @default 300000
   */
  readonly timeoutMs?: number | undefined;
  /** The largest response, in bytes; from 1. @default 16777216 */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * How a schema is enforced: by the service, as JSON of any shape, or only by the prompt. A service
   * that refuses the schema is asked by the prompt from then on.
   *
   * @default 'strict'
   */
  readonly structured?: 'strict' | 'json' | 'prompt' | undefined;
}

export const defaultTimeoutMs = 300_000;

export const defaultAnswerBytes = 16 * 2 ** 20;

export function checkHttpOptions(factory: string, options: HttpOptions, own: object): void {
  checkTable(factory, { ...own, ...httpTable }, options);
}

export const structuredOption = oneOf('strict', 'json', 'prompt');

const address = fits('an address that begins with http:// or https://', isAddress);

const httpTable = {
  ...{ model: required(filled()), id: filled(), baseURL: address },
  ...{ timeoutMs: checkPositive, maxAnswerBytes: whole(1), structured: structuredOption },
};

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value);
}

export function idOf(kind: string, model: string, baseURL: string | undefined): string {
  return baseURL === undefined ? `${kind}:${model}` : `${kind}:${model}@${new URL(baseURL).host}`;
}

export type Structured = LLMProvider['capabilities']['structured'];

/**
 * A service that refuses the schema is asked once more by the prompt, and only so for the life of
 * the provider; the first result says it.
 */
export function askStructured<How extends Structured>(
  id: string,
  chosen: How,
  ask: (request: LLMRequest, structured: How | 'prompt') => Promise<LLMResult>,
): LLMProvider['generate'] {
  let structured: How | 'prompt' = chosen;
  return async (request) => {
    const asked = structured;
    try {
      return await ask(request, asked);
    } catch (error) {
      if (request.schema === undefined || asked === 'prompt' || !refusesSchema(error)) throw error;
    }
    const news = structured === 'prompt' ? [] : [schemaRefusedBy(id)];
    structured = 'prompt';
    const result = await ask(request, structured);
    return { ...result, attempts: result.attempts + 1, warnings: [...news, ...result.warnings] };
  };
}

export function schemaRefusedBy(id: string): string {
  return `${id} does not support the schema of the answer, which the prompt asks for from now on`;
}

export function objectOf(request: LLMRequest, text: string): { readonly object?: unknown } {
  if (request.schema === undefined) return {};
  try {
    return { object: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}

/** It is what the model said if that is JSON too, so that the two are compared. */
export function textBeside(said: string, structured: string): string {
  return /^\s*(?:[{[]|```|~~~)/.test(said) ? said : structured;
}

/** Contains the schema for services without structured output. */
export function systemOf(
  { system, schema }: LLMRequest,
  structured: Structured,
): string | undefined {
  if (schema === undefined || structured === 'strict' || structured === 'tool') return system;
  const instruction = [
    'Answer with one JSON value and nothing else. It must fit this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n');
  return system === undefined || system === '' ? instruction : `${system}\n\n${instruction}`;
}

export function schemaNameOf({ schemaName }: LLMRequest): string {
  const name = (schemaName ?? '').replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return name === '' ? 'answer' : name;
}

export function unsupported(
  request: LLMRequest,
  settings: readonly ('temperature' | 'seed' | 'maxOutputTokens' | 'providerOptions')[],
): string[] {
  return settings
    .filter((name) => request[name] !== undefined)
    .map((name) => `${name} is not supported and was left out`);
}

const count = z.number().nullish().catch(undefined);

/** Claude Code reports it too. */
export const AnthropicUsageSchema = z
  .looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .nullish()
  .catch(undefined);

/** Tokens that were read from or written to the cache count as input too. */
export function anthropicUsage(
  usage: z.infer<typeof AnthropicUsageSchema>,
  costUsd?: number | null,
): Usage {
  const { input_tokens: input, cache_read_input_tokens: cached } = usage ?? {};
  const written = usage?.cache_creation_input_tokens ?? 0;
  return usageFromCounts({
    input: typeof input === 'number' ? input + (cached ?? 0) + written : undefined,
    output: usage?.output_tokens,
    cached,
    costUsd,
  });
}

/** The settings that no program of the command line takes. */
export const programLacks = ['maxOutputTokens', 'temperature', 'seed', 'providerOptions'] as const;
