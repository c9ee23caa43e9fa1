import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { type Usage, UsageSchema } from './usage.js';

/** One question to a model. */
export interface LLMRequest {
  /** The system prompt. */
  readonly system?: string | undefined;
  /** The conversation, oldest message first. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** JSON Schema of the answer, if the answer must be structured. */
  readonly schema?: unknown;
  /** The name of the schema, for services that require one. */
  readonly schemaName?: string | undefined;
  /** The largest number of tokens of the answer. */
  readonly maxOutputTokens?: number | undefined;
  /** How random the answer is. @default the setting of the service */
  readonly temperature?: number | undefined;
  /** A seed for reproducible answers, if the service supports it. */
  readonly seed?: number | undefined;
  /** Cancels the request. */
  readonly signal: AbortSignal;
  /** Identifies the request, so that a service can recognise a repetition. */
  readonly idempotencyKey?: string | undefined;
  /**
   * `prefix`: other requests begin with the same messages, except the last one. The provider should
   * cache these.
   */
  readonly cacheHint?: 'prefix' | undefined;
  /**
   * The ids of the criteria that the questions of a judge belong to, in the order of the questions;
   * for fakes, logs and tracers. A provider does not send it.
   */
  readonly criteria?: readonly string[] | undefined;
  /** Options that only one service understands. */
  readonly providerOptions?: Record<string, unknown> | undefined;
}

/** What a model answered. Only `finish: 'stop'` can be a complete answer. */
export interface LLMResult {
  /** The text of the answer. Beside an `object` it is empty or the same JSON. */
  readonly text: string;
  /** The structured answer, if the service parsed it. */
  readonly object?: unknown;
  /** Why the model stopped. */
  readonly finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
  /** The service's own word for it, where `finish` is `other`. */
  readonly finishReason?: string | undefined;
  /** What the call used. */
  readonly usage: Usage;
  /** The model that answered. */
  readonly model: string;
  /** The reasoning of the model, if the service returns it. */
  readonly reasoning?: string | undefined;
  /** What the service ignored or changed, for people. */
  readonly warnings: readonly string[];
  /** How many requests were sent, counted from 1. */
  readonly attempts: number;
  /** The response of the service, for debugging. */
  readonly raw?: unknown;
}

/** A model behind any vendor's interface. */
export interface LLMProvider {
  /** Names the service; part of the cache key of every verdict. */
  readonly id: string;
  /** The model that it asks, if it is fixed; also part of that key. */
  readonly model?: string | undefined;
  /** What the service supports. */
  readonly capabilities: {
    /** How structured answers are requested; `strict` guarantees the schema. */
    readonly structured: 'strict' | 'tool' | 'json' | 'prompt';
    /** The part of JSON Schema that the service accepts. */
    readonly schemaSubset: 'full' | 'openai' | 'anthropic';
    readonly streaming: boolean;
    readonly reportsUsage: boolean;
    readonly reportsCost: boolean;
    /** Largest number of tokens of prompt and answer together, if it is known. */
    readonly contextTokens?: number | undefined;
  };
  /** Asks the model. Rejects when the signal is aborted. */
  readonly generate: (request: LLMRequest) => Promise<LLMResult>;
}

export const finishes: readonly LLMResult['finish'][] = [
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
];

/** The members of a model's answer that the library relies on. It checks them. */
export const ReliedResultSchema = builtOnUse(() =>
  z.object({
    text: z.string(),
    object: z.unknown().optional(),
    finish: z.enum(finishes),
    finishReason: z.string().optional().catch(undefined),
    usage: UsageSchema,
    model: z.string(),
  }),
);
export interface ReliedResult extends z.infer<typeof ReliedResultSchema> {
  usage: Usage;
}

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
