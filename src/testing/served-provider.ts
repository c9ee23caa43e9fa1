import type { LLMProvider } from '../core/llm-provider.js';

export type ServedAnswer =
  | {
      readonly kind: 'text' | 'length' | 'content-filter' | 'refusal';
      readonly text: string;
      readonly usage?: { readonly input: number; readonly output: number } | undefined;
    }
  /** An HTTP error. `message` may contain the key of the caller, as with some services. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message: string;
      readonly retryAfterSeconds?: number | undefined;
    }
  /**
   * A body that does not follow the protocol, a connection that ends during an answer, or no
   * answer.
   */
  | { readonly kind: 'malformed' | 'cut' | 'silence' };

export interface ServedProvider {
  readonly provider: LLMProvider;
  /** Returns the number of requests to the fake service. */
  readonly requests: () => number;
  /** Stops the fake service. */
  readonly close: () => Promise<void>;
}

/** Features that some protocols do not have. */
export type ServedFeature =
  | 'length'
  | 'content-filter'
  | 'refusal'
  | 'retry-after'
  | 'unknown-usage';
