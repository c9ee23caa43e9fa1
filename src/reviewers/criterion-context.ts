import type { CriterionContext } from '../core/criterion.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { CheckCall } from '../core/step.js';
import { CallContext } from '../engine/call-context.js';

/** The context of one check of a task: the plain one, or one that knows more. */
export type ContextOf<Task, Context extends CriterionContext> = (
  task: Task,
  context: ReviewerContext,
  call: CheckCall,
) => Context;

/** The context of one criterion's check; its signal is made when it is first read. */
class PlainContext extends CallContext implements CriterionContext {
  readonly previous: CriterionContext['previous'];

  constructor(call: CheckCall, previous: CriterionContext['previous']) {
    super(call);
    this.previous = previous;
  }
}

/** Returns what each criterion learns: earlier reviews, and when to give up. */
export function plainContext(
  _task: unknown,
  { previous }: Pick<ReviewerContext, 'previous'>,
  call: CheckCall,
): CriterionContext {
  return new PlainContext(call, previous);
}
