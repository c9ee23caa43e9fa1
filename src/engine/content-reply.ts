import type { FailedAssessment, PassedAssessment } from '../core/assessment.js';
import type { ReviewerReply } from './reviewer-reply.js';

/** Returns what the engine itself says of a version: whether it has content. */
export function contentReply(view: string, hasContent: boolean): ReviewerReply {
  return {
    reviewer: emptyOutputId,
    assessments: [hasContent ? filledOutput() : emptyOutput()],
    proposal: undefined,
    view,
    reused: false,
    usage: {},
  };
}

/** The criterion of every output: it has content. */
const emptyOutputId = 'empty-output';

/** Returns the assessment of an output with content, where an earlier one had none. */
function filledOutput(): PassedAssessment {
  return {
    verdict: 'pass',
    criterion: emptyOutputId,
    score: 1,
    explanation: 'the output has content',
    gaps: [],
  };
}

/** Returns the assessment of an output without content. */
function emptyOutput(): FailedAssessment {
  return {
    verdict: 'fail',
    criterion: emptyOutputId,
    score: 0,
    explanation: 'the output is empty',
    gaps: [
      {
        id: '',
        severity: 'critical',
        category: 'incomplete',
        description: 'The output is empty',
        suggestedFix: 'Return an output with content.',
        estimatedEffort: 'medium',
        autoFixable: true,
        criterionId: emptyOutputId,
        raisedBy: emptyOutputId,
      },
    ],
  };
}
