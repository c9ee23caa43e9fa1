import type { Assessment } from '../core/assessment.js';
import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer } from '../core/reviewer.js';
import { truncateBytes } from '../text/truncate.js';
import type { CheckBoard } from './check-board.js';
import type { CodeReviewConfig } from './code-review-config.js';
import { taskErrors } from './errors.js';
import type { ReadChange } from './read-change.js';
import { gapOf } from './review-answer.js';
import { type CodeReview, reviewCode } from './review-code.js';
import type { ReviewTask } from './task.js';
import { mostRepairs, type TaskWork } from './task-work.js';

/** What the reviewer of code is made of. */
export interface CodeReviewerOptions {
  /** `false` where code is not reviewed. */
  readonly review: CodeReviewConfig | false;
  readonly readChange: ReadChange;
  readonly board: CheckBoard;
}

/** How much of a review is kept with its verdict. */
const mostKept = 6000;

/** The review of a task's code as a judge of the engine. What it says it fixed is a proposal, which tests and linter judge again (D002-10). */
export function codeReviewer(options: CodeReviewerOptions): Reviewer<ReviewTask, TaskWork> {
  const { review, readChange, board } = options;
  if (review === false) {
    return {
      id: 'review',
      version: 'off',
      tier: 'model',
      review: async () => [
        { verdict: 'skipped', criterion: 'review', reason: 'review is switched off' },
      ],
    };
  }
  const { provider, ...rest } = review;
  return {
    id: 'review',
    version: hashText(JSON.stringify([provider?.id, provider?.model, rest])).slice(0, 16),
    tier: 'model',
    ...(provider === undefined && {
      withProvider: (given: LLMProvider) =>
        codeReviewer({ ...options, review: { ...review, provider: given } }),
    }),
    review: async ({ task, output, iteration }, context) => {
      const { change, previousError } = output;
      const notes = board.get(context.runId, iteration);
      const before = await readChange('before', change.base, context);
      const given = await reviewCode(task, review, {
        change,
        testOutput: notes.test,
        lintOutput: notes.lint,
        previousError,
        nonce: context.nonce,
        context,
      });
      const after = await readChange('after', change.base, context);
      const held = heldAgainst(given, {
        changed: before.digest !== after.digest,
        repairs: output.repairs,
      });
      const assessments = [assessmentOf(held)];
      return held.verdict === 'fixed'
        ? { assessments, proposal: { ...output, change: after, repairs: output.repairs + 1 } }
        : assessments;
    },
  };
}

/** A verdict that fits what was done to the files: `fixed` needs a change, and nothing else may have made one. */
function heldAgainst(
  review: CodeReview,
  { changed, repairs }: { readonly changed: boolean; readonly repairs: number },
): CodeReview {
  const { verdict } = review;
  const broken = (reason: string): CodeReview => ({
    ...review,
    verdict: 'error',
    error: reason,
    reason,
    retryable: false,
  });
  if (verdict === 'fixed' && !changed)
    return broken('the review says REVIEW_FIXED, and no file has changed');
  if (verdict !== 'fixed' && changed)
    return broken(`the review says ${verdict}, and has changed files all the same`);
  if (verdict !== 'fixed' || repairs < mostRepairs) return review;
  return {
    ...review,
    verdict: 'failed',
    error: 'Review found issues',
    reason: `fixed again after ${repairs} rounds: ${review.reason}`,
  };
}

/** The verdict stands at the beginning of the explanation, where the policy reads it. */
function assessmentOf(review: CodeReview): Assessment {
  const { verdict, reason, output, issues, retryable } = review;
  const explanation = `${verdict}: ${truncateBytes(reason, 1000)}\n${truncateBytes(output, mostKept)}`;
  const gaps = (issues ?? []).map(gapOf);
  switch (verdict) {
    case 'passed':
      return { verdict: 'pass', criterion: 'review', score: 1, explanation, gaps };
    case 'failed':
    case 'fixed':
      return { verdict: 'fail', criterion: 'review', score: 0, explanation, gaps };
    case 'not_run':
      return {
        verdict: 'errored',
        criterion: 'review',
        error: new ReviewLoopError(taskErrors.review_not_run, reason, { value: output, retryable }),
      };
    case 'error':
      return {
        verdict: 'errored',
        criterion: 'review',
        error: new ReviewLoopError(taskErrors.review_broken, reason, { value: output, retryable }),
      };
  }
}
