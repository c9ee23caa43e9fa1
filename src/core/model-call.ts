import type { LLMRequest } from './llm-provider.js';
import type { Usage } from './usage.js';

export interface ModelQuestion
  extends Pick<
    LLMRequest,
    'system' | 'messages' | 'schema' | 'schemaName' | 'maxOutputTokens' | 'temperature' | 'seed'
  > {}

/** A call of a model. */
export interface ModelCall {
  /** The id of the service. */
  readonly provider: string;
  /** The model that is asked, if it is known before it answers. */
  readonly model?: string | undefined;
  /** The question. It contains the texts of the task and the output. */
  readonly request?: ModelQuestion | undefined;
}

export interface ModelReply {
  /** What the call used. */
  readonly usage?: Usage | undefined;
  /** The model that answered. */
  readonly model?: string | undefined;
  /** Why the model stopped. */
  readonly finish?: string | undefined;
  /** The text of the answer. */
  readonly text?: string | undefined;
}
