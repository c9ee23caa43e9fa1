import type { Assessment } from './assessment.js';
import type { HumanAnswer, HumanRequest } from './human.js';
import type { Outcome } from './outcome.js';
import type { Review } from './review.js';
import type { Reviewer } from './reviewer.js';
import type { ModelCall, ModelReply } from './step.js';
import type { Usage } from './usage.js';

export interface SpanPlace {
  /** Names the work: the pipeline, `produce`, `address`, the reviewer, the model, the question. */
  readonly name: string;
  readonly runId: string;
  /** The number of the review, counted from 1. */
  readonly iteration: number;
  /** The span that contains this one; undefined for a run, and for a review without a run. */
  readonly parent?: Span | undefined;
  /**
   * Set if the run is continued and everything so far is replayed. `replayed` of the end says
   * whether that is still so.
   */
  readonly replayed?: true;
}

export interface RunSpan extends SpanPlace {
  readonly kind: 'run';
  /** Whether the run has a record of an earlier call. */
  readonly resumed: boolean;
  /** The data that the hook carried from the first call, if any. */
  readonly carried: Readonly<Record<string, string>> | undefined;
  /**
   * Records data for later calls of this run, such as a trace id. Call it before `next`, in the
   * first call of a run; later it does nothing.
   */
  readonly carry: (data: Readonly<Record<string, string>>) => void;
}

/** A replayed call has no span. */
export interface ProduceSpan extends SpanPlace {
  readonly kind: 'produce';
}

/** A replayed call has no span. */
export interface AddressSpan extends SpanPlace {
  readonly kind: 'address';
  /** The digest of the version that is improved. */
  readonly digest: string;
}

export interface ReviewSpan extends SpanPlace {
  readonly kind: 'review';
  /** The digest of the version. */
  readonly digest: string;
  /** How many reviewers the pipeline has. */
  readonly reviewers: number;
}

export interface ReviewerSpan extends SpanPlace {
  readonly kind: 'reviewer';
  /** The digest of the version that is reviewed. */
  readonly digest: string;
  /** The version of the reviewer. */
  readonly version: string;
  readonly tier: Reviewer<unknown, unknown>['tier'];
}

export interface ModelSpan extends SpanPlace, ModelCall {
  readonly kind: 'model';
}

/** The time from a question to its answer; it is over when the span starts. */
export interface WaitSpan extends SpanPlace {
  readonly kind: 'wait';
  readonly request: HumanRequest;
  readonly answer: HumanAnswer;
  /** When the question was recorded, in milliseconds since 1970. */
  readonly askedAt: number;
  /** When the answer was recorded, in milliseconds since 1970. */
  readonly answeredAt: number;
}

/** A piece of work, for the hook `around`. */
export type Span =
  | RunSpan
  | ProduceSpan
  | AddressSpan
  | ReviewSpan
  | ReviewerSpan
  | ModelSpan
  | WaitSpan;

export interface EndPlace {
  /** How long the work took, in milliseconds. */
  readonly durationMs: number;
  /** Set if nothing new happened in the work: all of it was replayed. */
  readonly replayed?: true;
}

/** The result of a piece of work, for the hook `around`. */
export type SpanEnd =
  | (EndPlace & { readonly kind: 'run'; readonly outcome: Outcome<unknown> })
  | (EndPlace & {
      readonly kind: 'produce' | 'address';
      /** What the call used. */
      readonly usage: Usage;
      /** Set if the work waits for a person, and runs again after the answer. */
      readonly waits?: true;
    })
  | (EndPlace & {
      readonly kind: 'review';
      /** Undefined if the review waits for a person. */
      readonly review: Review | undefined;
    })
  | (EndPlace & {
      readonly kind: 'reviewer';
      /** Empty if the reviewer waits for a person, or if the run has ended. */
      readonly assessments: readonly Assessment[];
      /** Whether the answer is a cached verdict. */
      readonly reused: boolean;
      /** What its tries used; for a cached verdict what it used then. */
      readonly usage: Usage;
      /** Set if the reviewer waits for a person, and is asked again after the answer. */
      readonly waits?: true;
    })
  | (EndPlace & { readonly kind: 'model' } & ModelReply)
  | (EndPlace & { readonly kind: 'wait' });

/**
 * Called round each piece of work of a run, for tracers. `next` does the work, once. It resolves
 * with what is known about the result, and rejects with the error of work that failed. The hook
 * changes nothing: its result is ignored, and its own errors are logged. Work that it never starts
 * starts when it returns.
 */
export interface Around {
  (span: Span, next: () => Promise<SpanEnd>): unknown;
  /**
   * Asked when a run starts or continues: `false` leaves the hook out of this call, at no cost.
   *
   * @default the hook is always called
   */
  readonly isActive?: (() => boolean) | undefined;
}
