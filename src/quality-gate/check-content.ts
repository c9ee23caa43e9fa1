import type { Root } from '../node/inside-root.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import type { GatePlan, GateTask } from './gate-plan.js';
import { hasContent } from './payload/has-content.js';

/**
 * Checks that each review of a step with criteria has something to judge.
 *
 * @throws QualityGateError `gate_nothing_to_review`; ReviewLoopError `path_outside`
 */
export async function checkContent({ tasks, skipped }: GatePlan, root: Root): Promise<void> {
  const judged = tasks.filter(({ review }) => Object.keys(review.quality_criteria).length > 0);
  for (const task of judged)
    if (!(await hasContent(task.outputs, root))) throw nothingToReview(task);
  if (judged.length === 0)
    throw new QualityGateError(
      gateErrors.gate_nothing_to_review,
      `there is nothing to review: ${skipped.map(({ reason }) => reason).join('; ')}`,
    );
}

/** Returns the error of a review whose outputs are all empty. */
export function nothingToReview({ target, outputs }: GateTask): QualityGateError {
  const names = target ?? outputs.map(({ name }) => name).join(', ');
  return new QualityGateError(
    gateErrors.gate_nothing_to_review,
    names === ''
      ? 'there is nothing to review: the step handed in no outputs'
      : `there is nothing to review: ${names} is empty`,
  );
}
