import type { ReviewContext } from '../core/criterion.js';

/**
 * What a criterion receives beside output and task: nothing produced or reviewed before.
 *
 * @param overrides - What the test needs otherwise.
 */
export function fakeContext(overrides: Partial<ReviewContext> = {}): ReviewContext {
  return { previousOutputs: [], previousReviews: [], ...overrides };
}
