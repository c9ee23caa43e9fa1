import type * as z from 'zod';
import type { Assessment } from './assessment.js';
import type { Gap } from './gap.js';
import type { HumanAnswer, HumanRequest } from './human.js';
import type { LLMProvider } from './llm-provider.js';
import type { Review } from './review.js';
import type { CheckCall, StepContext } from './step.js';

/** What a reviewer judges. `output` is a frozen copy of what its `scope` selects, of everything without one. */
export interface ReviewSubject<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  /** Counted from 1. */
  readonly iteration: number;
}

/** What a reviewer says: its assessments, and perhaps a next version that it proposes. */
export type ReviewerAnswer =
  | readonly Assessment[]
  | { readonly assessments: readonly Assessment[]; readonly proposal: unknown };

/** The best version of a run so far. */
export interface BestVersion {
  /** The iteration that reviewed it. */
  readonly iteration: number;
  /** A frozen copy. */
  readonly output: unknown;
}

/** What a reviewer may do while it judges. */
export interface ReviewerContext extends StepContext {
  /** The finished reviews of this run, the oldest first; empty where the verdict may be reused, and for confirming judges. */
  readonly previous: readonly Review[];
  /** The best version before this one, for who compares; none in the first round, and wherever `previous` is kept empty. */
  readonly best: BestVersion | undefined;
  /**
   * Makes a call that depends on nothing but the subject: in a slot of the limiter, under the timeout of checks. An
   * asynchronous result is recorded and replayed like a step's; a synchronous one was never paid for and is not.
   *
   * @param name - Needed when a reviewer makes several. @default 'check'
   */
  readonly check: <Value>(
    schema: z.ZodType<Value>,
    work: (call: CheckCall) => Value | Promise<Value>,
    name?: string,
  ) => Promise<Value>;
  /** Text of this run that no author of an output can know; for fences round untrusted text. */
  readonly nonce: string;
  /** Asks a person. Settles only when answered; until then the run suspends with every pending request. */
  readonly ask: (
    name: string,
    request: Pick<HumanRequest, 'question' | 'allowed' | 'gaps'>,
  ) => Promise<HumanAnswer>;
  /**
   * Waits for a call that another reviewer of the same review makes, without a slot of its own. Only such a call, which has its own
   * timeout, may be waited for.
   */
  readonly join: <Value>(call: Promise<Value>) => Promise<Value>;
}

/** That a reviewer asks a model, and how the same reviewer is had with another one. */
export interface AsksModel<in Task, in Output> {
  /** Whom it asks; nobody yet where it inherits the pipeline's. */
  readonly provider: LLMProvider | undefined;
  /** The same questions to this provider (without one: to the pipeline's); `whole` leaves its scope out, so that it reads everything. */
  readonly asking: (
    provider: LLMProvider | undefined,
    how?: { readonly whole?: boolean | undefined },
  ) => Reviewer<Task, Output>;
}

/** Everything that judges: code check, model dimension, checklist, command, panel, person. */
export interface Reviewer<in Task, in Output> {
  /** Unique in a pipeline. */
  readonly id: string;
  /** Hash of prompt, model and rules: part of every verdict's key. */
  readonly version: string;
  /** Stages run in this order, each only if the one before leaves approval possible. */
  readonly tier: 'code' | 'model' | 'confirm';
  /** `'run'` where `version` does not tell every change of its rules: verdicts are then reused within a run only. @default also over runs */
  readonly reuse?: 'run' | undefined;
  /** What it reads, as JSON data: it stands in the place of `output`. A verdict is reused while it is equal. */
  readonly scope?:
    | ((subject: { readonly task: Task; readonly output: Output }) => unknown)
    | undefined;
  /** Reviewers earlier in the list and of the same tier that must have answered first. @default none: those of a tier are asked side by side */
  readonly after?: readonly string[] | undefined;
  /** Judges one version; a promise that rejects is a failure of the judge. */
  readonly review: (
    subject: ReviewSubject<Task, Output>,
    context: ReviewerContext,
  ) => Promise<ReviewerAnswer>;
  /** Repairs one of its gaps without guessing. Receives its own copy of the whole output and returns the whole output. */
  readonly fix?: ((output: Output, gap: Gap, context: FixContext) => unknown) | undefined;
  /** The same reviewer with this provider. Present only while it needs one: a pipeline passes its own on, or is refused. */
  readonly withProvider?: ((provider: LLMProvider) => Reviewer<Task, Output>) | undefined;
  /** Its findings are checked before they may be edited: each has a standing. @default false */
  readonly checksFindings?: true | undefined;
  /** Present where it asks a model and can ask another one the same: for second opinions, panels and confirming judges. */
  readonly asks?: AsksModel<Task, Output> | undefined;
}

/** What a fixer may know. */
export interface FixContext {
  readonly task: unknown;
  readonly signal: AbortSignal;
}
