import type { SelfReviewContext } from '../self-review/review-criterion.js';

/**
 * Creates the context of a criterion, without earlier outputs and reviews.
 *
 * @param overrides - Members with other values.
 */
export function fakeContext(overrides: Partial<SelfReviewContext> = {}): SelfReviewContext {
  return { previous: [], previousOutputs: [], previousReviews: [], ...overrides };
}
