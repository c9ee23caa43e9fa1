import type { ReviewError } from './errors.js';
import type { HumanRequest } from './human.js';
import type { Review } from './review.js';
import type { Usage } from './usage.js';

export interface OutcomeBase {
  readonly runId: string;
  /** Why the run ended, for people. */
  readonly reason: string;
  /** Why the run ended, for programs: a stable code. */
  readonly code: string;
  /** Every review of the run, the oldest first. */
  readonly reviews: readonly Review[];
  /** The review of the returned version. Undefined if the review of that version did not finish. */
  readonly review?: Review | undefined;
  /** What the calls of the run used, by activity. */
  readonly usage: { readonly produce: Usage; readonly review: Usage; readonly address: Usage };
  /** The digest of the returned version. Pass it to `override`. */
  readonly version?: string | undefined;
  /** The digest of what the pipeline's workspace contains now. */
  readonly workspace?: string | undefined;
  /** The person whose answer decided, if any. */
  readonly decidedBy?: string | undefined;
  /** How the pipeline changed since the run was last continued; undefined if it did not. */
  readonly changed?: readonly string[] | undefined;
  /** The error behind `failed`, `timed_out` and `cancelled`. */
  readonly error?: ReviewError | undefined;
}

/** Who accepted a version that reviewers did not approve, and why. */
export interface Acceptance {
  /** Accepted by a person (`override`, `skip`), by advisory reviewers, or without a review. */
  readonly kind: 'override' | 'skip' | 'advisory' | 'not_reviewed';
  readonly by: string;
  readonly reason: string;
}

/**
 * How a run ended. `approved` means that exactly the version in `output` was approved, and that
 * every reviewer answered about it. Every other status returns the best version so far, the reason
 * and the reviews.
 */
export type Outcome<Output> =
  | (OutcomeBase & {
      readonly status: 'approved';
      readonly approved: true;
      readonly output: Output;
    })
  /** The version is accepted, although the reviewers did not approve it. */
  | (OutcomeBase & {
      readonly status: 'accepted';
      readonly approved: false;
      readonly output: Output;
      readonly acceptance: Acceptance;
    })
  /** People are asked. There is no output yet if the first `produce` asks. */
  | (OutcomeBase & {
      readonly status: 'suspended';
      readonly approved: false;
      readonly output: Output | undefined;
      readonly requests: readonly [HumanRequest, ...HumanRequest[]];
    })
  | (OutcomeBase & {
      readonly status:
        | 'rejected'
        | 'escalated'
        | 'exhausted'
        | 'stalled'
        | 'inconclusive'
        | 'failed'
        | 'timed_out'
        | 'cancelled';
      readonly approved: false;
      readonly output: Output | undefined;
    });

/** The statuses of an outcome. */
export type OutcomeStatus = Outcome<unknown>['status'];
