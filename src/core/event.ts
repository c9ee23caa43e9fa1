import type { Assessment } from './assessment.js';
import type { Asker, HumanRequest } from './human.js';
import type { OutcomeBase, OutcomeStatus } from './outcome.js';
import type { Review } from './review.js';
import type { Usage } from './usage.js';

export interface EventPlace {
  readonly runId: string;
  /** The number of the review, counted from 1. */
  readonly iteration: number;
  /**
   * Set if an earlier call of this run came to this event, as far as the record of the run tells:
   * the run is continued, and its steps are replayed. Skip such events where you count.
   */
  readonly replayed?: true;
}

export interface EventCost {
  /** What the work used; for replayed work and for a cached verdict, what it used then. */
  readonly usage: Usage;
  /** How long the work took in this process, in milliseconds. */
  readonly durationMs: number;
}

export interface WorkEnd extends EventPlace, EventCost {
  /** The code of its error, if it failed. */
  readonly error?: string;
}

/** The events of a run. Every payload contains `runId` and `iteration`, and `replayed` if it is. */
export interface ReviewEvents {
  /** A run begins, or is continued. */
  'run-start': (payload: EventPlace) => void;
  /** `produce` is called, or replayed. */
  'produce-start': (payload: EventPlace) => void;
  /** `produce` has returned, or failed. */
  'produce-end': (payload: WorkEnd) => void;
  /** A version is ready for review. */
  'version-produce': (
    payload: EventPlace & {
      readonly digest: string;
      readonly parent: string | undefined;
      /** A frozen copy of the version. */
      readonly output: unknown;
    },
  ) => void;
  /** A review begins. */
  'review-start': (
    payload: EventPlace & { readonly digest: string; readonly reviewers: number },
  ) => void;
  /** A reviewer is asked. */
  'reviewer-start': (payload: EventPlace & { readonly reviewer: string }) => void;
  /** A reviewer has answered or failed; `reused` says whether its answer is a cached verdict. */
  'reviewer-end': (
    payload: EventPlace &
      EventCost & {
        readonly reviewer: string;
        readonly assessments: readonly Assessment[];
        readonly reused: boolean;
      },
  ) => void;
  /**
   * A review is finished and its decision is made. `best` says whether its version is now the best.
   * `review` contains its usage and its duration.
   */
  'review-end': (payload: EventPlace & { readonly review: Review; readonly best: boolean }) => void;
  /** A fixer has repaired a gap. */
  'fix-apply': (payload: EventPlace & { readonly criterion: string; readonly gap: string }) => void;
  /** `address` is called, or replayed. */
  'address-start': (payload: EventPlace & { readonly gaps: number }) => void;
  /** `address` has returned, or failed. */
  'address-end': (payload: WorkEnd) => void;
  /** A person is asked. */
  'human-request': (
    payload: EventPlace & { readonly request: HumanRequest; readonly from: Asker },
  ) => void;
  /** A budget in tokens or money is set, but nothing reports its usage. */
  'budget-warn': (payload: EventPlace & { readonly message: string }) => void;
  /** A run has ended, or is suspended. */
  'run-end': (
    payload: EventPlace & {
      readonly status: OutcomeStatus;
      readonly code: string;
      readonly reason: string;
      /** What the whole run used, in every call of it. */
      readonly usage: OutcomeBase['usage'];
      /** How long this call took, in milliseconds. */
      readonly durationMs: number;
    },
  ) => void;
}

/** The name of an event. */
export type ReviewEventName = keyof ReviewEvents;

/** An event of a run as one object; `type` is its name. */
export type RunEvent = {
  readonly [Name in ReviewEventName]: { readonly type: Name } & Parameters<ReviewEvents[Name]>[0];
}[ReviewEventName];
