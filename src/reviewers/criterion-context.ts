import type { CriterionContext } from '../core/criterion.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { CheckCall } from '../core/step.js';

/** The context of one check of a task: the plain one, or one that knows more. */
export type ContextOf<Task, Context extends CriterionContext> = (
  task: Task,
  context: ReviewerContext,
  call: CheckCall,
) => Context;

/** What each criterion learns: earlier reviews, and when to give up. */
export function plainContext(
  _task: unknown,
  { previous }: Pick<ReviewerContext, 'previous'>,
  { signal }: CheckCall,
): CriterionContext {
  return { previous, signal };
}
