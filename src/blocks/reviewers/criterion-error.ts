import {
  type CheckResult,
  type CriterionResult,
  CriterionResultSchema,
  longAnswer,
} from '../../core/criterion.js';
import { messageOf, type ReviewErrorOptions, ReviewLoopError } from '../../core/errors.js';
import { reviewerErrors, thrownBy } from './errors.js';

export function resultOf(id: string, answer: CheckResult): CriterionResult {
  const parsed = CriterionResultSchema.safeParse(longAnswer(answer));
  if (parsed.success) return parsed.data;
  throw unusable(id, { cause: parsed.error, value: answer });
}

function unusable(id: string, about: ReviewErrorOptions): ReviewLoopError {
  const what = `${id} returned ${describe(about.value)}`;
  return new ReviewLoopError(reviewerErrors.criterion_invalid, what, about);
}

export function criterionError(id: string, thrown: unknown): ReviewLoopError {
  if (thrown instanceof ReviewLoopError) {
    const { cause, value } = thrown;
    return unusable(id, { cause, value, retryable: true });
  }
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
  return thrownBy(id, thrown, reviewerErrors.criterion_threw);
}

function describe(value: unknown): string {
  if (typeof value === 'number' || value === undefined || value === null) return String(value);
  try {
    return JSON.stringify(value)?.slice(0, 200) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
