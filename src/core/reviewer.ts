import type * as z from 'zod';
import type { Assessment } from './assessment.js';
import type { Gap, Severity } from './gap.js';
import type { LLMProvider } from './llm-provider.js';
import type { Review } from './review.js';
import type { CheckCall, StepContext } from './step.js';

/**
 * What a reviewer judges. `output` is a frozen copy: the part that `scope` selects, or the whole
 * output.
 */
export interface ReviewSubject<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  /** The number of the review, counted from 1. */
  readonly iteration: number;
  /**
   * How often its text was edited on the way to this version; the text is what `scope` selects.
   * Undefined unless the reviewer has `countsEdits`.
   */
  readonly edits?: number | undefined;
}

/** The answer of a reviewer: its assessments and, optionally, a next version that it proposes. */
export type ReviewerAnswer =
  | readonly Assessment[]
  | { readonly assessments: readonly Assessment[]; readonly proposal: unknown };

export interface BestVersion {
  /** The iteration that reviewed it. */
  readonly iteration: number;
  /** A frozen copy. */
  readonly output: unknown;
}

/** What a reviewer may do while it judges. */
export interface ReviewerContext extends StepContext {
  /**
   * The finished reviews of this run, oldest first. Empty if the verdict may be reused, and for
   * confirming judges.
   */
  readonly previous: readonly Review[];
  /**
   * The best version before this one. Undefined in the first review, and whenever `previous` is
   * empty.
   */
  readonly best: BestVersion | undefined;
  /**
   * Makes a call that depends only on the subject. The call takes a slot of the limiter and has the
   * timeout of checks. An asynchronous result is recorded and replayed, like that of a step. A
   * synchronous result is not recorded.
   *
   * @param name - Required if a reviewer makes several calls. @default 'check'
   */
  readonly check: <Value>(
    schema: z.ZodType<Value>,
    work: (call: CheckCall) => Value | Promise<Value>,
    name?: string,
  ) => Promise<Value>;
  /**
   * A secret text of this review, for fences around untrusted text. The author of an output cannot
   * know it: each review has another one.
   */
  readonly nonce: string;
  /**
   * Waits for a call that another reviewer of the same review makes. Waiting takes no slot of the
   * limiter. Wait only for such calls, because they have their own timeout.
   */
  readonly join: <Value>(call: Promise<Value>) => Promise<Value>;
}

export interface AsksModel<in Task, in Output> {
  /** The provider that it asks. Undefined if it inherits the provider of the pipeline. */
  readonly provider: LLMProvider | undefined;
  /**
   * Returns the same reviewer with this provider, or with the provider of the pipeline. `whole`
   * removes its scope, so that it reads the whole output. `bar` is the bar of a grade that has none of
   * its own, as a share of its scale.
   */
  readonly asking: (
    provider: LLMProvider | undefined,
    how?: { readonly whole?: boolean | undefined; readonly bar?: number | undefined },
  ) => Reviewer<Task, Output>;
}

export interface Grading {
  /** The least grade that passes, as a share of the scale. */
  readonly bar: number;
  /** Identifies everything but the bar: graded verdicts are cached under it. */
  readonly version: string;
  /** Returns a cached assessment as the bar of now decides it. */
  readonly decide: (assessment: Assessment) => Assessment;
}

/** In the order in which they are asked. */
export const tiers = ['code', 'model', 'confirm'] as const;

/** Everything that judges: code check, model dimension, checklist, command, panel, person. */
export interface Reviewer<in Task, in Output> {
  /** Unique in a pipeline. */
  readonly id: string;
  /**
   * Identifies prompt, model and rules, for example by a hash. Part of the cache key of every
   * verdict.
   */
  readonly version: string;
  /**
   * When it is asked: first `code`, then `model`, then `confirm`. A tier is asked only while
   * approval is possible.
   */
  readonly tier: (typeof tiers)[number];
  /**
   * `'run'`: its verdicts are reused within one run only. Set it if `version` does not cover every
   * change of the rules.
   *
   * @default verdicts are also reused across runs
   */
  readonly reuse?: 'run' | undefined;
  /**
   * Selects what it reads, as JSON data. This data replaces `output`. A verdict is reused while the
   * data is equal.
   */
  readonly scope?:
    | ((subject: { readonly task: Task; readonly output: Output }) => unknown)
    | undefined;
  /**
   * Ids of reviewers that must answer first: earlier in the list and of the same tier.
   *
   * @default none; reviewers of one tier are asked concurrently
   */
  readonly after?: readonly string[] | undefined;
  /** Judges one version. If the promise rejects, the judge has failed. */
  readonly review: (
    subject: ReviewSubject<Task, Output>,
    context: ReviewerContext,
  ) => Promise<ReviewerAnswer>;
  /**
   * Repairs one of its gaps without guessing. Receives its own copy of the whole output and returns
   * the whole output.
   */
  readonly fix?: ((output: Output, gap: Gap, context: FixContext) => unknown) | undefined;
  /**
   * Returns the same reviewer with this provider. Present only if it needs one. The pipeline passes
   * its own provider, or throws `provider_missing`.
   */
  readonly withProvider?: ((provider: LLMProvider) => Reviewer<Task, Output>) | undefined;
  /**
   * Whether its findings are checked before anything is fixed, so that each has a `standing`.
   *
   * @default false
   */
  readonly checksFindings?: true | undefined;
  /**
   * Whether its verdict depends on how often its text was edited: `edits` of the subject. Verdicts
   * are then kept for each number.
   *
   * @default false
   */
  readonly countsEdits?: true | undefined;
  /**
   * The severity of its gaps, if all have the same. Judges in turn ask about a minor one once.
   *
   * @default each gap says it
   */
  readonly severity?: Severity | undefined;
  /** Present if its judge grades and a bar decides. @default its verdicts are the judge's own */
  readonly grading?: Grading | undefined;
  /**
   * Present if it asks a model and can ask another model the same. Second opinions, panels and
   * confirming judges need it.
   */
  readonly asks?: AsksModel<Task, Output> | undefined;
}

/** What a fixer receives besides the output and the gap. */
export interface FixContext {
  readonly task: unknown;
  /** Aborted when the fixer times out or the run ends. */
  readonly signal: AbortSignal;
}

/**
 * A `review` that makes one call, and reads nothing of its context but the earlier reviews. The
 * engine may make the call itself, and needs no context then.
 */
export interface PlainCheck {
  readonly call: (
    output: unknown,
    task: unknown,
    previous: readonly Review[],
    call: CheckCall,
  ) => unknown;
  readonly assess: (answer: unknown, label: string) => Assessment;
  readonly failed: (error: unknown) => Promise<Assessment>;
}

const checks = new WeakMap<object, PlainCheck>();

/** Notes that a `review` is a plain check. A function that wraps it is none. */
export function isPlainCheck<Value extends object>(review: Value, check: PlainCheck): Value {
  checks.set(review, check);
  return review;
}

export function plainCheckOf(review: object): PlainCheck | undefined {
  return checks.get(review);
}
