import type { Assessment } from '../../core/assessment.js';
import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { passOfWhole } from '../../core/partial-view.js';
import { plural } from '../../core/plural.js';
import type { Reviewer } from '../../core/reviewer.js';
import { truncateBytes } from '../../core/text/truncate.js';
import type { CodeReviewConfig } from './code-review-config.js';
import { taskErrors } from './errors.js';
import { gapOf } from './review-answer.js';
import { type CodeReview, reviewShown } from './review-code.js';
import { maxRepairs, type ReviewTask, type TaskWork } from './task.js';
import { partOf, type ReadChange } from './task-change.js';
import type { CheckOutputs } from './task-checks.js';

export interface CodeReviewerOptions {
  /** `false` disables the review. */
  readonly review: CodeReviewConfig | false;
  readonly readChange: ReadChange;
  readonly checkOutputs: CheckOutputs;
}

/** The maximum size of a review that is recorded with its verdict, in bytes. */
const maxOutputBytes = 6000;

/** If it fixes files, they become the next version, which is tested, linted and reviewed again. */
export function codeReviewer(options: CodeReviewerOptions): Reviewer<ReviewTask, TaskWork> {
  const { review, readChange, checkOutputs } = options;
  if (review === false) {
    return {
      id: 'review',
      version: 'off',
      tier: 'model',
      review: async () => [
        { verdict: 'skipped', criterion: 'review', reason: 'the review is disabled' },
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
      const { files, unread = [] } = change;
      // a failure can only be found in what somebody reads
      if (files.every(({ path, binary }) => binary || unread.includes(path)))
        return [unreadable(unread.length === 0 ? undefined : partOf(change, review))];
      const checks = checkOutputs.get(context.runId, iteration);
      const before = await readChange('before', change.base, context);
      const given = await reviewShown(task, review, {
        change,
        testOutput: checks.test,
        lintOutput: checks.lint,
        previousError,
        nonce: context.nonce,
        context,
      });
      const after = await readChange('after', change.base, context);
      const verified = verifyVerdict(given, {
        changed: before.digest !== after.digest,
        repairs: output.repairs,
      });
      const assessments = [passOfWhole(assessmentOf(verified), given.part)];
      return verified.verdict === 'fixed'
        ? { assessments, proposal: { ...output, change: after, repairs: output.repairs + 1 } }
        : assessments;
    },
  };
}

function unreadable(reason: string | undefined): Assessment {
  if (reason !== undefined)
    return { verdict: 'undecided', criterion: 'review', reason, decidableBy: ['person'] };
  return {
    verdict: 'errored',
    criterion: 'review',
    error: new ReviewLoopError(
      taskErrors.review_not_run,
      'every changed file is binary, and reviewers read text only',
    ),
  };
}

/** `fixed` requires a change, other verdicts forbid one. */
function verifyVerdict(
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
    return broken('the review says REVIEW_FIXED, but changed no file');
  if (verdict !== 'fixed' && changed)
    return broken(`the review says ${verdict}, but changed files`);
  if (verdict !== 'fixed' || repairs < maxRepairs) return review;
  return {
    ...review,
    verdict: 'failed',
    error: 'Review found issues',
    reason: `fixed again after ${plural(repairs, 'round')}: ${review.reason}`,
  };
}

function assessmentOf(review: CodeReview): Assessment {
  const { verdict, reason, output, issues, retryable } = review;
  const explanation = `${verdict}: ${truncateBytes(reason, 1000)}\n${truncateBytes(output, maxOutputBytes)}`;
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
