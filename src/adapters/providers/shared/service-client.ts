import * as z from 'zod';
import { modelErrors } from '../../../blocks/models/errors.js';
import {
  cancelledBy,
  type FaultPlace,
  faultOfThrown,
  misshapen,
  refusesSchema,
  throwErrorInside,
} from '../../../blocks/models/provider-fault.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import {
  checkPositive,
  checkTable,
  filled,
  fits,
  givenOf,
  invalid,
  oneOf,
  required,
  whole,
} from '../../../core/options.js';
import type { Usage } from '../../../core/usage.js';
import { systemClock } from '../../../ports/clock.js';

/** How a service is asked: by its options, its dialect, and a client that the first call may load. */
interface Service {
  /** Stands before the model in the id. */
  readonly kind: string;
  readonly schemaSubset: LLMProvider['capabilities']['schemaSubset'];
  readonly options: HttpOptions & ServiceAddress & { readonly contextTokens?: number | undefined };
  /** Returns how one request is made. */
  readonly asking: (connection: Connection) => (call: ServiceRequest) => Promise<LLMResult>;
}

interface ServiceAddress {
  readonly model: string;
  readonly baseURL?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface Connection extends Pick<ServiceAddress, 'baseURL' | 'apiKey'> {
  readonly place: FaultPlace;
  readonly timeoutMs: number;
  /** Fails for an answer that is too large. */
  readonly fetch: typeof fetch;
}

export interface ServiceRequest {
  readonly request: LLMRequest;
  readonly structured: 'strict' | 'json' | 'prompt';
  readonly signal: AbortSignal;
}

export function serviceProvider({ kind, schemaSubset, options, asking }: Service): LLMProvider {
  const { model, baseURL, apiKey, structured = 'strict' } = options;
  const { timeoutMs = defaultTimeoutMs, maxAnswerBytes = defaultAnswerBytes } = options;
  const host = baseURL === undefined ? '' : `@${new URL(baseURL).host}`;
  const { id = `${kind}:${model}${host}` } = options;
  const place: FaultPlace = { id, secrets: [apiKey] };
  const fetch = boundedFetch(id, maxAnswerBytes);
  const ask = asking({ place, timeoutMs, fetch, baseURL, apiKey });
  const more = givenOf(options, ['contextTokens']);
  return {
    ...{ id, model },
    capabilities: { ...toldUsage, structured, schemaSubset, ...more },
    generate: askStructured(id, structured, (request, asked) =>
      callService({ place, signal: request.signal, timeoutMs }, (signal) =>
        ask({ request, structured: asked, signal }),
      ),
    ),
  };
}

/** What a provider tells of a call that is answered as a whole, without its cost. */
export const toldUsage = { streaming: false, reportsUsage: true, reportsCost: false };

/** Loads a client with the first call. After a failure, the next call tries again. */
export function clientOf<Client>(
  given: Client | undefined,
  connection: Connection,
  load: (address: ClientAddress) => Promise<Client>,
): () => Promise<Client> {
  let made: Promise<Client> | undefined;
  return async () => {
    if (given !== undefined) return given;
    made ??= load(connection).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

export type ClientAddress = Pick<ServiceAddress, 'baseURL' | 'apiKey'> & Pick<Connection, 'fetch'>;

/** With `baseURL`, it sends no key of the environment. */
export function clientSettings({ baseURL, apiKey, fetch }: ClientAddress) {
  const key = apiKey ?? (baseURL === undefined ? undefined : 'none');
  const known = givenOf({ baseURL, apiKey: key }, ['baseURL', 'apiKey']);
  return { maxRetries: 0, fetch, ...known };
}

export function checkClient(
  options: Partial<ServiceAddress> & { readonly client?: unknown },
): void {
  const { client, apiKey, baseURL } = options;
  if (client !== undefined && (apiKey !== undefined || baseURL !== undefined))
    throw invalid('client', 'without `apiKey` and `baseURL`, which a client has itself', 'both');
}

/** Reads the answer of a service, which may be an error instead. */
export function answerAs<Answer>(
  schema: z.ZodType<Answer>,
  { place, answer }: { readonly place: FaultPlace; readonly answer: unknown },
): Answer {
  throwErrorInside(place, answer);
  const { data, error } = schema.safeParse(answer);
  if (error !== undefined) throw misshapen(place, error, answer);
  return data;
}

type Said = Omit<LLMResult, 'model' | 'attempts' | 'warnings' | 'object'> & {
  readonly model: string | null | undefined;
  readonly warnings?: string[];
};

export function resultOf(
  { id }: FaultPlace,
  request: LLMRequest,
  { model, reasoning, warnings = [], ...said }: Said,
): LLMResult {
  return {
    ...said,
    ...objectOf(request, said.text),
    model: model || id,
    ...(reasoning && { reasoning }),
    ...{ warnings, attempts: 1 },
  };
}

/** Fails for a larger response. */
function boundedFetch(id: string, maxBytes: number): typeof fetch {
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

const address = fits(
  'an address that begins with http:// or https://',
  (value) => typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value),
);

const httpTable = {
  ...{ model: required(filled()), id: filled(), baseURL: address },
  ...{ timeoutMs: checkPositive, maxAnswerBytes: whole(1), structured: structuredOption },
};

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

/** Contains the schema for services without structured output; undefined instead of an empty text. */
export function systemOf(
  { system, schema }: LLMRequest,
  structured: Structured,
): string | undefined {
  const own = system === '' ? undefined : system;
  if (schema === undefined || structured === 'strict' || structured === 'tool') return own;
  const instruction = [
    'Answer with one JSON value and nothing else. It must fit this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n');
  return own === undefined ? instruction : `${own}\n\n${instruction}`;
}

export function systemMessage(
  request: LLMRequest,
  structured: Structured,
): { readonly role: 'system'; readonly content: string }[] {
  const content = systemOf(request, structured);
  return content === undefined ? [] : [{ role: 'system', content }];
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
