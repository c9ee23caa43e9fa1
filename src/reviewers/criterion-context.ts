import type { ReviewContext } from '../kernel/criterion.js';
import type { ReviewerContext } from '../kernel/reviewer.js';
import type { SelfReviewResult } from '../kernel/self-review.js';
import { reviewIdOf, selfReviewResultOf } from '../kernel/self-review-record.js';
import type { CheckCall } from '../kernel/step.js';

/** What a criterion learns beside output and task. */
export type Surroundings<Task> = (task: Task) => Partial<Omit<ReviewContext, 'previousReviews' | 'signal'>> & { readonly taskId?: string; readonly agentId?: string };

/** The context of one check; what is rarely read is made when it is read. */
export function criterionContext(context: ReviewerContext, call: CheckCall, about: ReturnType<Surroundings<unknown>> = {}): ReviewContext {
  const { previousOutputs = [], projectConfig, designTokens, acceptanceCriteria, taskId = '', agentId = '' } = about;
  return {
    previousOutputs,
    projectConfig,
    designTokens,
    acceptanceCriteria,
    get previousReviews(): SelfReviewResult[] {
      return context.previous.map((review) => selfReviewResultOf(review, { taskId, agentId, reviewId: reviewIdOf(context.runId, review.iteration) }));
    },
    get signal(): AbortSignal {
      return call.signal;
    },
  };
}
