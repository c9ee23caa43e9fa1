import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { type Usage, UsageSchema } from './usage.js';

/** One question to a model. */
export interface LLMRequest {
  readonly system?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** JSON Schema of the answer, when a structured one is wanted. */
  readonly schema?: unknown;
  readonly schemaName?: string | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | undefined;
  /** `prefix`: everything before the last message stands at the beginning of other requests too, so it is worth caching. */
  readonly cacheHint?: 'prefix' | undefined;
  readonly providerOptions?: Record<string, unknown> | undefined;
}

/** What a model answered. Only `finish: 'stop'` can be a complete answer. */
export interface LLMResult {
  readonly text: string;
  readonly object?: unknown;
  readonly finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
  readonly usage: Usage;
  readonly model: string;
  readonly reasoning?: string | undefined;
  readonly warnings: readonly string[];
  readonly attempts: number;
  readonly raw?: unknown;
}

/** A model behind any vendor's interface. */
export interface LLMProvider {
  /** Which service it is; part of the key of every verdict. */
  readonly id: string;
  /** The model that it asks, where it is a fixed one; also part of that key. */
  readonly model?: string | undefined;
  readonly capabilities: {
    readonly structured: 'strict' | 'tool' | 'json' | 'prompt';
    readonly schemaSubset: 'full' | 'openai' | 'anthropic';
    readonly streaming: boolean;
    readonly reportsUsage: boolean;
    readonly reportsCost: boolean;
  };
  /** Asks the model. Rejects when the signal is aborted. */
  readonly generate: (request: LLMRequest) => Promise<LLMResult>;
}

/** What of an answer of a model is relied on, and therefore checked. */
export const ReliedResultSchema = builtOnUse(() =>
  z.object({
    text: z.string(),
    object: z.unknown().optional(),
    finish: z.enum(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other']),
    usage: UsageSchema,
    model: z.string(),
  }),
);
/** What of an answer of a model is relied on. */
export interface ReliedResult extends z.infer<typeof ReliedResultSchema> {
  usage: Usage;
}

/** Whether a configured value is a provider of models. */
export function isProvider(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'generate' in value &&
    typeof value.generate === 'function'
  );
}
