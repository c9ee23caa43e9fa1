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
  /** `prefix`: other requests begin with the same messages, except the last one, so they are worth caching. */
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
  /** The model that it asks, if that is fixed; also part of that key. */
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

/** The members of a model's answer that the library relies on, and therefore checks. */
export const ReliedResultSchema = builtOnUse(() =>
  z.object({
    text: z.string(),
    object: z.unknown().optional(),
    finish: z.enum(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other']),
    usage: UsageSchema,
    model: z.string(),
  }),
);
/** The members of a model's answer that the library relies on. */
export interface ReliedResult extends z.infer<typeof ReliedResultSchema> {
  usage: Usage;
}

/** Returns whether a value has the members of a provider. */
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
