import { ReviewLoopError } from '../core/errors.js';
import { type HumanAnswer, type HumanRequest, isOverride } from '../core/human.js';
import { plural } from '../core/plural.js';
import { engineErrors } from './errors.js';

/** @throws ReviewLoopError `reason_required` for an approval that is an override without a reason */
export function checkReason(answer: HumanAnswer, request: HumanRequest): void {
  if (answer.kind !== 'approve' || answer.reason !== undefined || !isOverride(request)) return;
  const why =
    request.gaps.length > 0
      ? `version ${request.digest} has ${plural(request.gaps.length, 'open gap')}`
      : `reviewers did not approve version ${request.digest}`;
  throw new ReviewLoopError(engineErrors.reason_required, `${why}, so approving it is an override`);
}
