import type { Decision } from './decision.js';
import type { Review } from './review.js';
import type { Reviewer } from './reviewer.js';
import type { Usage } from './usage.js';

/** A review without its decision. */
export type UndecidedReview = Omit<Review, 'decision'>;

/** A new prompt or model changes its version. */
export type JudgeIdentity = Pick<Reviewer<never, never>, 'id' | 'version' | 'tier'>;

/** What a policy receives. */
export interface Evidence {
  /** The number of the review, counted from 1. */
  readonly iteration: number;
  /** The review of the latest version. */
  readonly review: UndecidedReview;
  /** The review of the best version; the same object when the latest is the best. */
  readonly best: UndecidedReview;
  /** The decided reviews before this one, the oldest first. */
  readonly history: readonly Review[];
  /** What the run has used so far. */
  readonly spent: Usage;
  /** Every reviewer of the pipeline; the engine always passes them. */
  readonly judges?: readonly JudgeIdentity[] | undefined;
}

/**
 * A pure function from evidence to a decision. `undefined` means no opinion. `firstOf(a, b)` asks
 * policies in turn.
 */
export type Policy = (evidence: Evidence) => Decision | undefined;

const askNobody = new WeakSet<object>();

/**
 * Marks code of this library that changes nothing that it gets, and asks no person: a policy, a
 * ranking, or the `review` of a reviewer.
 */
export function asksNobody<Value extends object>(value: Value): Value {
  askNobody.add(value);
  return value;
}

/** A policy, or the `review` of a reviewer, may ask unless it is marked. */
export function mayAsk(value: object): boolean {
  return !askNobody.has(value);
}
