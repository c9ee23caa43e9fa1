import type { AgentOutput } from '../kernel/agent.js';
import type { ReviewContext } from '../kernel/criterion.js';
import type { ReviewerContext } from '../kernel/reviewer.js';
import type { SelfReviewResult } from '../kernel/self-review.js';
import { reviewIdOf, selfReviewResultOf } from '../kernel/self-review-record.js';
import type { CheckCall } from '../kernel/step.js';

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
