import type { Decision } from './decision.js';
import type { Review } from './review.js';
import type { Usage } from './usage.js';

/** A review before it has been decided on. */
export type Finding = Omit<Review, 'decision'>;

/** Everything a policy may look at. */
export interface Evidence {
  /** Counted from 1. */
  readonly iteration: number;
  /** The review of the latest version. */
  readonly review: Finding;
  /** The review of the best version; the same object when the latest is the best. */
  readonly best: Finding;
  /** The decided reviews before this one, the oldest first. */
  readonly history: readonly Review[];
  readonly spent: Usage;
}

/** Pure: evidence in, decision out. `undefined` = no opinion; `firstOf(a, b)` asks in turn. */
export type Policy = (evidence: Evidence) => Decision | undefined;
