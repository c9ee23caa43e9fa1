import {
  type CheckResult,
  type CriterionResult,
  CriterionResultSchema,
  longAnswer,
} from '../../core/criterion.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { reviewerErrors } from './errors.js';

export function resultOf(id: string, answer: CheckResult): CriterionResult {
  const parsed = CriterionResultSchema.safeParse(longAnswer(answer));
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    reviewerErrors.criterion_invalid,
    `${id} returned ${describe(answer)}`,
    {
      cause: parsed.error,
      value: answer,
    },
  );
}

export function criterionError(id: string, thrown: unknown): ReviewLoopError {
  if (thrown instanceof ReviewLoopError)
    return new ReviewLoopError(
      reviewerErrors.criterion_invalid,
      `${id} returned ${describe(thrown.value)}`,
      {
        cause: thrown.cause,
        value: thrown.value,
        retryable: true,
      },
    );
  const message = messageOf(thrown);
  if (
    thrown instanceof TypeError &&
    /read only|not extensible|object is not|Cannot (add|delete|assign|redefine)/.test(message)
  ) {
    return new ReviewLoopError(
      reviewerErrors.criterion_mutated,
      `${id} tried to change what it reviews: ${message}`,
      { cause: thrown },
    );
  }
  return new ReviewLoopError(reviewerErrors.criterion_threw, `${id} threw: ${message}`, {
    cause: thrown,
    retryable: true,
  });
}

function describe(value: unknown): string {
  if (typeof value === 'number' || value === undefined || value === null) return String(value);
  try {
    return JSON.stringify(value)?.slice(0, 200) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
