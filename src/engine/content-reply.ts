import type { FailedAssessment, PassedAssessment } from '../core/assessment.js';
import { type AskedTiers, notAsked } from './later-tiers.js';
import type { ReviewJob } from './review-job.js';
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

/** Returns that a version is empty, without asking anybody. */
export function emptyReview<Task, Output>({
  run,
  definition,
  version,
}: ReviewJob<Task, Output>): AskedTiers {
  run.wasEmpty = true;
  const skipped = notAsked(definition.reviewers, 'the output is empty');
  return { answers: [contentReply(version.digest, false)], skipped, proposedTree: undefined };
}
