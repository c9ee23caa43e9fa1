import type { LLMProvider } from '../core/llm-provider.js';

/** The answer of a double of a service, in any protocol. */
export type ServedAnswer =
  | {
      readonly kind: 'text' | 'length' | 'content-filter' | 'refusal';
      readonly text: string;
      readonly usage?: { readonly input: number; readonly output: number } | undefined;
    }
  /** `message` may contain the key of the caller, as with some services. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message: string;
      readonly retryAfterSeconds?: number | undefined;
    }
  /** A body that is not of the protocol; a connection that ends in the middle of an answer; no answer at all. */
  | { readonly kind: 'malformed' | 'cut' | 'silence' };

/** A provider that talks to a double of its service. */
export interface ServedProvider {
  readonly provider: LLMProvider;
  /** Returns the number of requests to the double. */
  readonly requests: () => number;
  /** Stops the double. */
  readonly close: () => Promise<void>;
}

/** Features that some protocols lack. */
export type ServedFeature =
  | 'length'
  | 'content-filter'
  | 'refusal'
  | 'retry-after'
  | 'unknown-usage';
