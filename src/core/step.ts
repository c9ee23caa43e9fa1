import type * as z from 'zod';
import type { AskRequest, HumanAnswer } from './human.js';
import type { LLMRequest } from './llm-provider.js';
import type { Usage } from './usage.js';

export interface StepAttempt {
  /** A hash of run, step name and input, equal for every attempt. Use it as an idempotency key. */
  readonly key: string;
  /** Aborted when the step times out or the run ends. */
  readonly signal: AbortSignal;
  /** The number of the attempt, counted from 1 across all processes. */
  readonly attempt: number;
  /**
   * Shows a call of a model to the hook `around`. Undefined without a hook: then make the call
   * alone. `askModel` does this already.
   */
  readonly traceModel?:
    | (<Reply extends ModelReply>(call: ModelCall, work: () => Promise<Reply>) => Promise<Reply>)
    | undefined;
}

export interface CheckCall {
  /** Aborted when the check times out or the run ends. */
  readonly signal: AbortSignal;
}

export interface StepOptions<Value> {
  /** JSON data. The recorded value is replayed only for an equal input. */
  readonly input: unknown;
  /**
   * The zod schema of the value. It is checked when the value is recorded and when it is replayed.
   */
  readonly schema: z.ZodType<Value>;
  /**
   * Timeout in milliseconds, counted from when the step has its slot.
   *
   * @default the timeout of the function that calls it
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs a side effect once, such as a model call or a command. Its value is recorded, and replayed
 * when the run is resumed. Failures are not replayed. A step must not call a step or ask a person.
 */
export type Step = <Value>(
  name: string,
  options: StepOptions<Value>,
  work: (attempt: StepAttempt) => Promise<Value>,
) => Promise<Value>;

export interface BudgetReservation {
  /** Replaces the estimate with the actual usage. Call it once. */
  readonly settle: (used: Usage) => void;
}

export interface ReviewBudget {
  /**
   * Reserves budget before a paid call.
   *
   * @throws ReviewLoopError `budget_exceeded` if the estimate no longer fits
   */
  readonly reserve: (estimate: Usage) => BudgetReservation;
}

/** What `produce`, `address` and reviewers receive. */
export interface StepContext {
  /** Aborted when the call times out or the run ends. */
  readonly signal: AbortSignal;
  /** Runs a side effect once per run. */
  readonly step: Step;
  readonly runId: string;
  /** The number of the review, counted from 1. */
  readonly iteration: number;
  /** Reports what calls used, so that budgets count it. */
  readonly reportUsage: (usage: Usage) => void;
  /** The budget of the run. */
  readonly budget: ReviewBudget;
  /**
   * Asks a person. The promise settles with the answer. Until then, the run is suspended with every
   * pending request. Then the function runs again from the top, with its recorded steps replayed.
   */
  readonly ask: (name: string, request: AskRequest) => Promise<HumanAnswer>;
}

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
