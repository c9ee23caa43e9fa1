import type { CriterionContext } from '../core/criterion.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { CheckCall } from '../core/step.js';
import { CallContext } from '../engine/definition.js';

/** Builds the context of one check of a task. */
export type ContextOf<Task, Context extends CriterionContext> = (
  task: Task,
  context: ReviewerContext,
  call: CheckCall,
) => Context;

/** The context of every criterion: earlier reviews, and a signal that is made when it is read. */
class PlainContext extends CallContext implements CriterionContext {
  readonly previous: CriterionContext['previous'];

  constructor(previous: CriterionContext['previous'], call: CheckCall) {
    super(call);
    this.previous = previous;
  }
}

export function plainContext(
  _task: unknown,
  { previous }: Pick<ReviewerContext, 'previous'>,
  call: CheckCall,
): CriterionContext {
  return new PlainContext(previous, call);
}
