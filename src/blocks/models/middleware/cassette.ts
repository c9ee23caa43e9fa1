import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { invalid } from '../../../core/options.js';
import { cutAroundSecrets, redactSecrets } from '../../../core/redact/secrets.js';
import { modelErrors } from '../errors.js';
import { cancelledBy } from '../provider-fault.js';
import { retryAfterIn } from './with-retry.js';
import { requestKey, StoredResultSchema, wrapProvider } from './wrap-provider.js';

const ErrorSchema = builtOnUse(() =>
  z.object({
    code: z.string().regex(/^[a-z][a-z0-9_]*$/),
    kind: z.enum(['usage', 'input', 'judge', 'environment', 'bug']),
    fix: z.string(),
  }),
);

/** One line of a cassette: the recorded provider, or the result of one call. */
export const CassetteEntrySchema = builtOnUse(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('provider'),
      id: z.string(),
      model: z.string().optional(),
      capabilities: z.object({
        structured: z.enum(['strict', 'tool', 'json', 'prompt']),
        schemaSubset: z.enum(['full', 'openai', 'anthropic']),
        streaming: z.boolean(),
        reportsUsage: z.boolean(),
        reportsCost: z.boolean(),
        contextTokens: z.number().optional(),
      }),
    }),
    z.object({
      kind: z.literal('answer'),
      key: z.string(),
      asked: z.string(),
      result: StoredResultSchema,
    }),
    z.object({
      kind: z.literal('failure'),
      key: z.string(),
      asked: z.string(),
      error: ErrorSchema,
      what: z.string(),
      retryable: z.boolean(),
      retryAfterMs: z.number().optional(),
    }),
  ]),
);
export type CassetteEntry = z.infer<typeof CassetteEntrySchema>;

/** Stores recorded calls. */
export interface Cassette {
  /** Returns all recorded lines, in order. */
  readonly read: () => Promise<readonly CassetteEntry[]>;
  /** Adds one line. */
  readonly append: (entry: CassetteEntry) => Promise<void>;
}

/**
 * Creates a cassette in memory.
 *
 * @example
 * ```ts
 * const cassette = memoryCassette();
 * const recorded = recordCassette(provider, cassette);
 * ```
 */
export function memoryCassette(entries: readonly CassetteEntry[] = []): Cassette {
  const kept = [...entries];
  return { read: async () => kept, append: async (entry) => void kept.push(entry) };
}

/**
 * Returns a provider that records the result of each call, without secrets. Aborted calls are not
 * recorded.
 *
 * @example
 * ```ts
 * const cassette = fileCassette('test/cassettes/review.jsonl');
 * const recorded = recordCassette(provider, cassette);
 * ```
 */
export function recordCassette(provider: LLMProvider, cassette: Cassette): LLMProvider {
  checkCassette(cassette);
  const { id, model, capabilities } = provider;
  let begun: Promise<void> | undefined;
  const append = async (entry: CassetteEntry): Promise<void> => {
    begun ??= cassette.append({
      kind: 'provider',
      id,
      ...(model === undefined ? {} : { model }),
      capabilities,
    });
    await begun;
    await cassette.append(entry);
  };
  return wrapProvider(provider, async (request) => {
    const about = { key: requestKey(provider, request), asked: shownOf(request) };
    let result: LLMResult;
    try {
      result = await provider.generate(request);
    } catch (error) {
      if (!request.signal.aborted) await append(failureOf(about, error));
      throw error;
    }
    await append({ kind: 'answer', ...about, result: redacted(StoredResultSchema.parse(result)) });
    return result;
  });
}

/**
 * Returns a provider that answers from a cassette and never calls a model. Several answers to one
 * question are returned in the order of recording; the last one repeats.
 *
 * @throws ReviewLoopError `replay_missing` if the cassette is empty; a call rejects with it if
 *   the question was not recorded
 * @example
 * ```ts
 * const provider = await replayCassette(fileCassette('test/cassettes/review.jsonl'));
 * ```
 */
export async function replayCassette(cassette: Cassette): Promise<LLMProvider> {
  checkCassette(cassette);
  const entries = await cassette.read();
  const recorded = entries.find((entry) => entry.kind === 'provider');
  if (recorded === undefined)
    throw new ReviewLoopError(modelErrors.replay_missing, 'the cassette contains no recording');
  const { kind: _, ...provider } = recorded;
  const waiting = new Map<string, Exclude<CassetteEntry, { kind: 'provider' }>[]>();
  for (const entry of entries)
    if (entry.kind !== 'provider')
      waiting.set(entry.key, [...(waiting.get(entry.key) ?? []), entry]);
  return {
    ...provider,
    generate: async (request) => {
      if (request.signal.aborted) throw cancelledBy(request.signal, provider.id);
      const left = waiting.get(requestKey(provider, request)) ?? [];
      const entry = left.length > 1 ? left.shift() : left[0];
      if (entry === undefined)
        throw new ReviewLoopError(
          modelErrors.replay_missing,
          `the cassette contains no answer to: ${shownOf(request)}`,
        );
      if (entry.kind === 'answer') return entry.result;
      throw new ReviewLoopError(entry.error, entry.what, {
        retryable: entry.retryable,
        value: entry.retryAfterMs === undefined ? undefined : { retryAfterMs: entry.retryAfterMs },
      });
    },
  };
}

function checkCassette(cassette: unknown): asserts cassette is Cassette {
  const { read, append } = (cassette ?? {}) as Partial<Cassette>;
  if (typeof read !== 'function' || typeof append !== 'function')
    throw invalid('cassette', 'a cassette, such as memoryCassette()', cassette);
}

function shownOf({ messages }: LLMRequest): string {
  return redactSecrets(cutAroundSecrets(messages.at(-1)?.content ?? '', 200));
}

function failureOf(
  about: { readonly key: string; readonly asked: string },
  error: unknown,
): CassetteEntry {
  const { code, kind, fix } = isReviewError(error) ? error : modelErrors.provider_unavailable;
  const retryAfterMs = retryAfterIn(error);
  return {
    kind: 'failure',
    ...about,
    error: { code, kind, fix },
    what: redactSecrets(messageOf(error)),
    retryable: isReviewError(error) && error.retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** If the text changes, the object is parsed from it again. */
function redacted(result: z.infer<typeof StoredResultSchema>): z.infer<typeof StoredResultSchema> {
  const text = redactSecrets(result.text);
  const { object: _, ...rest } = result;
  const shown = {
    ...rest,
    text,
    ...(result.reasoning === undefined ? {} : { reasoning: redactSecrets(result.reasoning) }),
  };
  if (text === result.text) return 'object' in result ? { ...shown, object: result.object } : shown;
  try {
    return { ...shown, object: JSON.parse(text) as unknown };
  } catch {
    return shown;
  }
}
