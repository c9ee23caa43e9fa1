import { type Assessment, isOpenQuestion, type UndecidedAssessment } from './assessment.js';
import type { StopDecision } from './decision.js';

/** How many open questions a reason names. */
const mostNamed = 3;

/** Returns the open questions of a review: mandatory assessments that no judge could decide. */
export function openQuestions(review: {
  readonly assessments: readonly Assessment[];
}): readonly UndecidedAssessment[] {
  return review.assessments.filter(isOpenQuestion);
}

/** Returns the end of a review with open questions; `undefined` without any. */
export function undecidedStop(review: {
  readonly assessments: readonly Assessment[];
}): StopDecision | undefined {
  const open = openQuestions(review);
  if (open.length === 0) return undefined;
  const names = open.slice(0, mostNamed).map(questionText);
  const more = open.length > mostNamed ? ` and ${open.length - mostNamed} more` : '';
  const are = open.length === 1 ? 'is' : 'are';
  const counts = `${open.length} of ${review.assessments.length} assessments ${are} undecided`;
  return {
    kind: 'stop',
    status: 'inconclusive',
    code: 'undecided',
    reason: `${counts}: ${names.join('; ')}${more}`,
  };
}

/** Returns what is to be decided, in words. */
export function questionText({ question, criterion }: UndecidedAssessment): string {
  return question ?? criterion;
}
