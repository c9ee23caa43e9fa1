import type { Assessment, FailedAssessment, PassedAssessment } from '../core/assessment.js';
import { ReviewLoopError } from '../core/errors.js';
import type { UndecidedReview } from '../core/policy.js';
import { selected } from './ask-reviewer.js';
import type { Definition } from './definition.js';
import { decide } from './fail-closed.js';
import type { ReviewerReply } from './reviewer-reply.js';
import { type ReviewHistory, type ReviewStart, undecidedReviewOf } from './undecided-review.js';
import type { ReviewJob } from './verdict-cache.js';

export interface AskedTiers {
  readonly answers: readonly ReviewerReply[];
  readonly skipped: readonly Assessment[];
  readonly proposedTree: string | undefined;
}

export function notAsked(reviewers: readonly { readonly id: string }[], why: string): Assessment[] {
  return reviewers.map(({ id }) => ({
    verdict: 'skipped',
    criterion: id,
    reason: `not asked: ${why}`,
  }));
}

/** The reviewers are not asked, but the edits of their texts are counted. */
export async function passedOver<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewers: Definition<Task, Output>['reviewers'],
): Promise<Assessment[]> {
  for (const reviewer of reviewers.filter(({ countsEdits }) => countsEdits)) {
    const view = selected(job, reviewer);
    if (!(view instanceof ReviewLoopError))
      (await job.verdicts()).edits.of(reviewer.id, job.version, view);
  }
  return notAsked(reviewers, 'earlier checks already prevent approval');
}

export function dissentOf<Task, Output>(
  { reviewers }: Definition<Task, Output>,
  answers: readonly ReviewerReply[],
  { assessments }: UndecidedReview,
): readonly FailedAssessment[] {
  const confirming = new Set(
    reviewers.filter((reviewer) => reviewer.tier === 'confirm').map(({ id }) => id),
  );
  const theirs = new Set(
    answers
      .filter(({ reviewer }) => confirming.has(reviewer))
      .flatMap((answer) => answer.assessments.map(({ criterion }) => criterion)),
  );
  return assessments.filter(
    (assessment): assessment is FailedAssessment =>
      assessment.verdict === 'fail' && theirs.has(assessment.criterion),
  );
}

/** Assumes that all remaining reviewers pass. */
export async function approvalPossible<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  { answers, start }: { readonly answers: readonly ReviewerReply[]; readonly start: ReviewStart },
): Promise<boolean> {
  const asked = new Set(answers.map((answer) => answer.reviewer));
  const hoped = job.definition.reviewers
    .filter((reviewer) => !asked.has(reviewer.id))
    .map(
      (reviewer): Assessment => ({
        verdict: 'pass',
        criterion: reviewer.id,
        score: 1,
        explanation: '',
        gaps: [],
      }),
    );
  const review = undecidedReviewOf(job, { ...history, parent: undefined }, answers, hoped, start);
  const evidence = history.decisionIf(Object.freeze({ ...review, complete: true }));
  const decision = await decide(job.definition.policy, evidence);
  return decision === undefined || ['approve', 'accept', 'ask'].includes(decision.kind);
}

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

const emptyOutputId = 'empty-output';

/** For an output with content, where an earlier one had none. */
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

/** Asks nobody. */
export function emptyReview<Task, Output>({
  run,
  definition,
  version,
}: ReviewJob<Task, Output>): AskedTiers {
  run.wasEmpty = true;
  const skipped = notAsked(definition.reviewers, 'the output is empty');
  return { answers: [contentReply(version.digest, false)], skipped, proposedTree: undefined };
}
