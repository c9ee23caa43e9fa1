import { type Assessment, VerifiedAssessments } from './assessment.js';
import { AssessmentSchema } from './assessment-schema.js';
import { checkedErrors } from './checked-errors.js';
import { ReviewLoopError } from './errors.js';
import type { ReviewerAnswer } from './reviewer.js';

export interface CheckedAnswer {
  readonly assessments: readonly Assessment[];
  readonly proposal: unknown;
}

export function checkedAnswer(reviewer: string, answer: ReviewerAnswer): CheckedAnswer {
  if (answer instanceof VerifiedAssessments)
    return { assessments: answer.assessments, proposal: undefined };
  const { assessments, proposal } =
    typeof answer === 'object' && answer !== null && 'assessments' in answer
      ? answer
      : { assessments: answer, proposal: undefined };
  if (!Array.isArray(assessments) || assessments.length === 0) {
    throw new ReviewLoopError(
      checkedErrors.reviewer_invalid,
      `${reviewer} returned no assessment`,
      {
        value: assessments,
        retryable: true,
      },
    );
  }
  return {
    assessments: Array.from(assessments, (assessment: unknown) => checked(reviewer, assessment)),
    proposal,
  };
}

function checked(reviewer: string, assessment: unknown): Assessment {
  const parsed = AssessmentSchema.safeParse(assessment);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    checkedErrors.reviewer_invalid,
    `${reviewer} returned an assessment that was refused: ${parsed.error.message}`,
    { cause: parsed.error, value: assessment, retryable: true },
  );
}
