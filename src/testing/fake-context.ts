import type { SelfReviewContext } from '../self-review/review-criterion.js';

/**
 * What a criterion receives beside output and task: nothing produced or reviewed before.
 *
 * @param overrides - What the test needs otherwise.
 */
export function fakeContext(overrides: Partial<SelfReviewContext> = {}): SelfReviewContext {
  return { previous: [], previousOutputs: [], previousReviews: [], ...overrides };
}
