import { onAbort } from '../../../core/abort-signal.js';
import { messageOf } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { checkKeys, checkWhole, invalid } from '../../../core/options.js';
import { isCut } from '../answer/whole-prompt.js';
import { cancelledBy } from '../provider-fault.js';
import {
  requestKey,
  type StoredResult,
  StoredResultSchema,
  wrapProvider,
} from './wrap-provider.js';

/** Stores answers. */
export interface AnswerCache {
  /** Returns the answer under a key, or `undefined`. */
  readonly get: (key: string) => Promise<unknown>;
  /** Stores an answer. */
  readonly set: (key: string, answer: unknown) => Promise<void>;
}

export interface CacheOptions {
  /** Where answers are stored. @default memoryAnswers() */
  readonly cache?: AnswerCache | undefined;
}

/**
 * Creates a cache of answers in memory.
 *
 * @param most - Largest number of answers; at least 1. The oldest is removed first. @default 1000
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const cached = withCache(provider, { cache: memoryAnswers(100) });
 * ```
 */
export function memoryAnswers(most = 1000): AnswerCache {
  checkWhole('most', most, 1);
  const answers = new Map<string, unknown>();
  return {
    get: async (key) => answers.get(key),
    set: async (key, answer) => {
      answers.delete(key);
      answers.set(key, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= most) break;
        answers.delete(oldest);
      }
    },
  };
}

interface Flight {
  readonly result: Promise<LLMResult>;
  readonly controller: AbortController;
  riders: number;
}

interface Rider {
  readonly signal: AbortSignal;
  readonly id: string;
  readonly land: () => unknown;
}

const nothing = { inputTokens: 0, outputTokens: 0, totalTokens: 0, costUsd: 0 };

/**
 * Returns a provider that asks equal questions once. The key covers everything that an answer
 * depends on. Only complete answers are cached. Equal questions at the same time share one call,
 * which ends when all of them are aborted. Answers from the cache have a usage of zero. An answer
 * to a prompt that the service cut is not cached.
 *
 * @throws ReviewLoopError `invalid_options`; a call rejects with `not_json` for provider options
 *   that are not JSON
 * @example
 * ```ts
 * const cached = withCache(provider);
 * ```
 */
export function withCache(provider: LLMProvider, options: CacheOptions = {}): LLMProvider {
  checkKeys('withCache', options, ['cache']);
  const { cache = memoryAnswers() } = options;
  if (typeof cache?.get !== 'function' || typeof cache.set !== 'function')
    throw invalid('cache', 'an object with get and set, such as memoryAnswers()', cache);
  const flights = new Map<string, Flight>();
  return wrapProvider(provider, async (request) => {
    if (request.signal.aborted) throw cancelledBy(request.signal, provider.id);
    const key = requestKey(provider, request);
    const known = await keptIn(cache, key);
    if (known !== undefined && !isCut(request, known.usage)) return { ...known, usage: nothing };
    if (request.signal.aborted) throw cancelledBy(request.signal, provider.id);
    const flying = flights.get(key);
    const flight =
      flying ??
      depart(flights, key, (signal) => asked(provider, cache, key, { ...request, signal }));
    const result = await ride(flight, {
      signal: request.signal,
      id: provider.id,
      land: () => flights.get(key) === flight && flights.delete(key),
    });
    return flying === undefined || isCut(request, result.usage)
      ? result
      : { ...result, usage: nothing };
  });
}

async function keptIn(cache: AnswerCache, key: string): Promise<StoredResult | undefined> {
  try {
    return StoredResultSchema.safeParse(await cache.get(key)).data;
  } catch {
    return undefined;
  }
}

async function asked(
  provider: LLMProvider,
  cache: AnswerCache,
  key: string,
  request: LLMRequest,
): Promise<LLMResult> {
  const result = await provider.generate(request);
  if (result.finish !== 'stop' || result.text === '' || isCut(request, result.usage)) return result;
  try {
    await cache.set(key, StoredResultSchema.parse(result));
    return result;
  } catch (error) {
    return {
      ...result,
      warnings: [...result.warnings, `the answer was not cached: ${messageOf(error)}`],
    };
  }
}

function depart(
  flights: Map<string, Flight>,
  key: string,
  ask: (signal: AbortSignal) => Promise<LLMResult>,
): Flight {
  const controller = new AbortController();
  const flight: Flight = {
    controller,
    riders: 0,
    result: ask(controller.signal).finally(
      () => flights.get(key) === flight && flights.delete(key),
    ),
  };
  flights.set(key, flight);
  return flight;
}

/** The last caller to leave ends the call. */
async function ride(flight: Flight, { signal, id, land }: Rider): Promise<LLMResult> {
  flight.riders += 1;
  let ignore = (): void => {};
  const left = new Promise<never>((_, reject) => {
    ignore = onAbort(signal, () => reject(cancelledBy(signal, id)));
  });
  try {
    return await Promise.race([flight.result, left]);
  } finally {
    ignore();
    flight.riders -= 1;
    if (flight.riders === 0) {
      land();
      flight.controller.abort();
    }
  }
}
