import type { Reviewer } from '../core/reviewer.js';
import { fromCriterionIn } from '../reviewers/from-criterion.js';
import { agentContext } from './agent-context.js';
import type { ReviewCriterion } from './review-criterion.js';

/** A criterion of an agent as a reviewer; one that brings its own reviewer gives that. */
export function reviewerOf<Output, Task>(
  given: ReviewCriterion<Output, Task>,
  agentId = 'agent',
): Reviewer<Task, Output> {
  return given.reviewer ?? fromCriterionIn(given, agentContext(agentId));
}
