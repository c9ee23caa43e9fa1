import type { AgentOutput } from '../self-review/agent.js';
import type { ReviewContext } from '../core/criterion.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { SelfReviewResult } from '../self-review/self-review-result.js';
import { reviewIdOf, selfReviewResultOf } from '../self-review/record.js';
import type { CheckCall } from '../core/step.js';

/** What a criterion learns beside output and task. */
export type Surroundings<Task> = (task: Task) => Partial<Omit<ReviewContext, 'previousReviews' | 'signal'>> & { readonly taskId?: string; readonly agentId?: string };

/** The context of one check; made for each, so what is rarely read is computed when it is read. */
export class CriterionContext implements ReviewContext {
  readonly previousOutputs: AgentOutput[];
  readonly projectConfig: ReviewContext['projectConfig'];
  readonly designTokens: ReviewContext['designTokens'];
  readonly acceptanceCriteria: ReviewContext['acceptanceCriteria'];
  readonly #context: ReviewerContext;
  readonly #call: CheckCall;
  readonly #about: ReturnType<Surroundings<unknown>>;

  constructor(context: ReviewerContext, call: CheckCall, about: ReturnType<Surroundings<unknown>> = nothing) {
    this.previousOutputs = about.previousOutputs ?? [];
    this.projectConfig = about.projectConfig;
    this.designTokens = about.designTokens;
    this.acceptanceCriteria = about.acceptanceCriteria;
    this.#context = context;
    this.#call = call;
    this.#about = about;
  }

  get previousReviews(): SelfReviewResult[] {
    const { taskId = '', agentId = '' } = this.#about;
    return this.#context.previous.map((review) => selfReviewResultOf(review, { taskId, agentId, reviewId: reviewIdOf(this.#context.runId, review.iteration) }));
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

const nothing = Object.freeze({});
