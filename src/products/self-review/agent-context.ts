import { type ContextOf, fromCriterionIn } from '../../blocks/reviewers/from-criterion.js';
import type { Review } from '../../core/review.js';
import type { Reviewer, ReviewerContext } from '../../core/reviewer.js';
import type { CheckCall } from '../../core/step.js';
import { CallContext } from '../../engine/definition.js';
import type { AgentOutput, AgentRequest } from './agent.js';
import { reviewIdOf, selfReviewResultOf } from './record.js';
import type { ReviewContext, ReviewCriterion } from './review-criterion.js';
import type { SelfReviewResult } from './self-review-result.js';

export function agentContext(agentId: string): ContextOf<unknown, ReviewContext> {
  return (task, context, call) =>
    new AgentContext(isAgentRequest(task) ? task : undefined, { agentId, context, call });
}

class AgentContext extends CallContext implements ReviewContext {
  readonly previous: readonly Review[];
  readonly previousOutputs: AgentOutput[];
  readonly projectConfig: ReviewContext['projectConfig'];
  readonly designTokens: ReviewContext['designTokens'];
  readonly acceptanceCriteria: ReviewContext['acceptanceCriteria'];
  readonly #about: { readonly agentId: string; readonly taskId: string; readonly runId: string };

  constructor(
    request: AgentRequest | undefined,
    {
      agentId,
      context,
      call,
    }: {
      readonly agentId: string;
      readonly context: ReviewerContext;
      readonly call: CheckCall;
    },
  ) {
    super(call);
    const { items = [], previousOutputs = [], task } = request?.context ?? {};
    const item = (type: string): Record<string, unknown> | undefined =>
      items.find((candidate) => candidate.type === type)?.content;
    this.previous = context.previous;
    this.previousOutputs = previousOutputs;
    this.projectConfig = item('project_config');
    this.designTokens = item('design_tokens');
    this.acceptanceCriteria = task?.acceptanceCriteria;
    this.#about = { agentId, taskId: task?.id ?? '', runId: context.runId };
  }

  get previousReviews(): SelfReviewResult[] {
    const { agentId, taskId, runId } = this.#about;
    return this.previous.map((review) =>
      selfReviewResultOf(review, {
        taskId,
        agentId,
        reviewId: reviewIdOf(runId, review.iteration),
      }),
    );
  }
}

export function taskIdOf(task: unknown): string {
  return isAgentRequest(task) ? task.context.task.id : 'task';
}

export function isAgentRequest(task: unknown): task is AgentRequest {
  if (typeof task !== 'object' || task === null || !('context' in task)) return false;
  const { context } = task;
  return (
    typeof context === 'object' &&
    context !== null &&
    'task' in context &&
    typeof context.task === 'object' &&
    context.task !== null
  );
}

export function reviewerOf<Output, Task>(
  given: ReviewCriterion<Output, Task>,
  agentId = 'agent',
): Reviewer<Task, Output> {
  return given.reviewer ?? fromCriterionIn(given, agentContext(agentId));
}
