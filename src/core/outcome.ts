import type { ReviewError } from './errors.js';
import type { HumanRequest } from './human.js';
import type { Review } from './review.js';
import type { Usage } from './usage.js';

/** What every outcome carries. */
export interface OutcomeBase {
  readonly runId: string;
  /** Why, for people. */
  readonly reason: string;
  /** Why, for programs; stable. */
  readonly code: string;
  /** Every review of the run, the oldest first. */
  readonly reviews: readonly Review[];
  /** The review of the version that came back; none where that version was not reviewed to the end. */
  readonly review?: Review | undefined;
  readonly usage: { readonly produce: Usage; readonly review: Usage; readonly address: Usage };
  /** The digest of the version that came back, which `override` names. */
  readonly version?: string | undefined;
  /** What the pipeline's workspace holds now: the digest of the tree of the version that came back. */
  readonly workspace?: string | undefined;
  /** The person whose answer decided, where one did. */
  readonly decidedBy?: string | undefined;
  /** The error behind `failed`, `timed_out` and `cancelled`. */
  readonly error?: ReviewError | undefined;
}

/** Who let a version through that reviewers did not approve, and why. */
export interface Acceptance {
  readonly kind: 'override' | 'skip' | 'advisory' | 'not_reviewed';
  readonly by: string;
  readonly reason: string;
}

/**
 * How a run ended. Only `approved` was reviewed, whole, in the very version that `output` holds, by reviewers that all
 * answered; every other status comes back with the best version so far, a named reason and the record.
 */
export type Outcome<Output> =
  | (OutcomeBase & {
      readonly status: 'approved';
      readonly approved: true;
      readonly output: Output;
    })
  /** Went through although reviewers did not approve. */
  | (OutcomeBase & {
      readonly status: 'accepted';
      readonly approved: false;
      readonly output: Output;
      readonly acceptance: Acceptance;
    })
  | (OutcomeBase & {
      readonly status: 'suspended';
      readonly approved: false;
      readonly output: Output;
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

/** The names of the ways a run can end. */
export type OutcomeStatus = Outcome<unknown>['status'];
