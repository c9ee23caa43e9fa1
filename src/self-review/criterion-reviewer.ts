import type { Reviewer } from '../core/reviewer.js';
import { fromCriterionIn } from '../reviewers/from-criterion.js';
import { agentContext } from './agent-context.js';
import type { ReviewCriterion } from './review-criterion.js';

/** Returns the `reviewer` of an agent's criterion, or else a reviewer that calls `validate`. */
export function reviewerOf<Output, Task>(
  given: ReviewCriterion<Output, Task>,
  agentId = 'agent',
): Reviewer<Task, Output> {
  return given.reviewer ?? fromCriterionIn(given, agentContext(agentId));
}
