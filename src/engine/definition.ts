import type * as z from 'zod';
import type { Gap } from '../core/gap.js';
import type { HumanRequest } from '../core/human.js';
import type { Policy } from '../core/policy.js';
import type { Ranking } from '../core/ranking.js';
import type { Reviewer } from '../core/reviewer.js';
import type { ScoreWeights } from '../core/scores.js';
import type { Around } from '../core/span.js';
import type { CheckCall, StepContext } from '../core/step.js';
import type { AuditSink } from '../ports/audit-chain.js';
import type { Clock } from '../ports/clock.js';
import type { LessonStore } from '../ports/lesson-store.js';
import type { Limiter } from '../ports/limiter.js';
import type { Logger } from '../ports/logger.js';
import type { Random } from '../ports/random.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { Workspace } from '../ports/workspace.js';
import type { EventHub } from './events.js';

/** The context of `produce`. */
export interface ProduceContext extends StepContext {
  /** Lessons of earlier runs; empty without a lesson store. */
  readonly lessons: string;
}

/** The context of `address`. */
export interface AddressContext<Task> extends StepContext {
  /** The task of the run. */
  readonly task: Task;
  /** Lessons of earlier runs; empty without a lesson store. */
  readonly lessons: string;
  /** A prompt for a model: it contains the fenced output and every gap with its id. */
  readonly prompt: string;
  /** New gaps of the last attempt, if it was worse than the best version. Avoid them. */
  readonly regressed: readonly Gap[];
  /**
   * Returns the ids of the reviewers whose text an output changes, though none of the given gaps is
   * theirs; the text is what their `scope` selects.
   */
  readonly untold: (output: unknown) => Promise<readonly string[]>;
  /** The note of a person who asked for a revision. */
  readonly note?: string | undefined;
}

/** The limits of a run. */
export interface Budget {
  /** The greatest number of reviews, from 1. @default 3 */
  readonly reviews?: number | undefined;
  /** Reported tokens of produce, review and address together. @default unlimited */
  readonly tokens?: number | undefined;
  /** Reported cost of produce, review and address together, in US dollars. @default unlimited */
  readonly costUsd?: number | undefined;
  /**
   * Wall time of one call of `run`, `answer` or `override` in milliseconds, with waiting.
   *
   * @default unlimited
   */
  readonly timeoutMs?: number | undefined;
}

/** In milliseconds, from when a call has its limiter slot. */
export interface Timeouts {
  /** The whole `produce`. @default 600000 */
  readonly produceMs: number;
  /** Each check of a criterion, and each reviewer step without `timeoutMs`. @default 60000 */
  readonly checkMs: number;
  /** The whole `address`. @default 600000 */
  readonly addressMs: number;
  /** One review with all its tiers. @default unlimited */
  readonly reviewMs: number | undefined;
  /** One review and the address after it. @default unlimited */
  readonly iterationMs: number | undefined;
  /** Each snapshot and each restore of the workspace. @default 600000 */
  readonly workspaceMs: number;
}

export interface HumanOptions {
  /**
   * `auto` never asks, `prompt` asks after an approval, `require` does so without the choice to
   * skip.
   */
  readonly policy: 'auto' | 'prompt' | 'require';
  /** Called with every question at least once; use `request.id` to ignore repetitions. */
  readonly notify?: ((request: HumanRequest) => Promise<void>) | undefined;
  /**
   * The effect of a rejection: `end` ends the run; `revise` makes one more revision, with the
   * reason as its note, while reviews are left.
   *
   * @default 'end'
   */
  readonly onReject?: 'end' | 'revise' | undefined;
  /**
   * How long a question can be answered, in milliseconds; then the run ends as `timed_out`.
   *
   * @default never expires
   */
  readonly expiresAfterMs?: number | undefined;
}

/** Checked options, with their defaults. */
export interface Definition<Task, Output> {
  readonly name: string;
  /** Stands for the code of `produce`, `address` and the policy. */
  readonly version: string | undefined;
  /** What a kept run does whose pipeline changed. */
  readonly onChange: 'continue' | 'restart' | 'ask';
  readonly produce: ((task: Task, context: ProduceContext) => Output | Promise<Output>) | undefined;
  readonly address:
    | ((output: Output, gaps: Gap[], context: AddressContext<Task>) => Output | Promise<Output>)
    | undefined;
  /** Whether the caller carries out revisions that people ask for, without `address`. */
  readonly callerRevises?: boolean | undefined;
  readonly reviewers: readonly Reviewer<Task, Output>[];
  readonly policy: Policy;
  readonly ranking: Ranking;
  readonly weights: ScoreWeights;
  readonly budget: Budget & { readonly reviews: number };
  readonly timeouts: Timeouts;
  /** Whether a tier is skipped when approval is no longer possible. */
  readonly failFast: boolean;
  /** Whether verdicts on an equal view are reused. */
  readonly reuse: boolean;
  readonly verdicts: VerdictStore | undefined;
  /** Stores the decisions of people about what no judge could tell. */
  readonly decisions: VerdictStore | undefined;
  readonly allowEmpty: boolean;
  /** How often a failed judge is asked again. */
  readonly retries: number;
  readonly limiter: Limiter;
  readonly store: Store;
  readonly workspace: Workspace | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventHub;
  readonly around?: Around | undefined;
  readonly human: HumanOptions | undefined;
  readonly learn: LessonStore | undefined;
  readonly audit: AuditSink | undefined;
  readonly taskSchema: z.ZodType<Task> | undefined;
  readonly outputSchema: z.ZodType<Output> | undefined;
  /** Loads the function that makes `context.prompt` of `address`, on first use. */
  readonly loadAddressPrompt: () =>
    | AddressPrompt<Task, Output>
    | Promise<AddressPrompt<Task, Output>>;
}

export type AddressPrompt<Task, Output> = (input: {
  readonly task: Task;
  readonly output: Output;
  readonly gaps: readonly Gap[];
  readonly nonce: string;
}) => string;

/**
 * The context of a user's function. Its signal is created on first use. The signal is an own
 * member, so that copies of a context have it. All objects share one getter: a getter per object
 * would cost a hidden class each, and keep alive what it closes over.
 */
export class CallContext {
  static readonly #member: PropertyDescriptor & ThisType<CallContext> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#call.signal;
    },
  };
  readonly #call: CheckCall;
  declare readonly signal: AbortSignal;

  constructor(call: CheckCall) {
    this.#call = call;
    Object.defineProperty(this, 'signal', CallContext.#member);
  }
}

/**
 * The context of `address`. Its prompt is created on first use, because most do not read it. It is
 * an own member, like the signal.
 */
export class AddressCallContext extends CallContext {
  static readonly #member: PropertyDescriptor & ThisType<AddressCallContext> = {
    enumerable: true,
    configurable: true,
    get() {
      this.#prompt ??= this.#makePrompt();
      return this.#prompt;
    },
  };
  readonly #makePrompt: () => string;
  #prompt: string | undefined;
  declare readonly prompt: string;

  constructor(call: CheckCall, makePrompt: () => string) {
    super(call);
    this.#makePrompt = makePrompt;
    Object.defineProperty(this, 'prompt', AddressCallContext.#member);
  }
}
