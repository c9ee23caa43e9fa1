import type { ReviewContext } from '../self-review/review-criterion.js';

/**
 * Creates the context of a criterion, without earlier outputs and reviews.
 *
 * @param overrides - Members that replace the defaults.
 * @example
 * ```ts
 * await hasTitle.validate(output, task, fakeContext({ acceptanceCriteria: ['has a title'] }));
 * ```
 */
export function fakeContext(overrides: Partial<ReviewContext> = {}): ReviewContext {
  return { previous: [], previousOutputs: [], previousReviews: [], ...overrides };
}
