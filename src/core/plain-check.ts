import type { Assessment } from './assessment.js';
import type { Review } from './review.js';
import type { CheckCall } from './step.js';

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
  /** Returns the assessment of what the call answered. @throws ReviewLoopError `step_invalid` */
  readonly assess: (answer: unknown, label: string) => Assessment;
  /** Returns the assessment of a check that failed. */
  readonly failed: (error: unknown) => Promise<Assessment>;
}

const checks = new WeakMap<object, PlainCheck>();

/** Notes that a `review` is a plain check. A function that wraps it is none. */
export function isPlainCheck<Value extends object>(review: Value, check: PlainCheck): Value {
  checks.set(review, check);
  return review;
}

/** Returns the plain check of a `review`, if it is one. */
export function plainCheckOf(review: object): PlainCheck | undefined {
  return checks.get(review);
}
