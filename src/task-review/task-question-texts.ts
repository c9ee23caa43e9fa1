import { plural } from '../core/plural.js';
import type { Review } from '../core/review.js';
import type { HumanTexts } from '../ports/human-gate.js';
import { truncateBytes } from '../text/truncate.js';
import { issueText } from './review-answer.js';
import { textOf, verdictIn } from './review-rounds.js';
import type { ReviewTask, TaskWork } from './task.js';
import { diffsOf } from './task-change.js';
import { fixRequest } from './task-result.js';

/** The maximum size of a shown review without readable issues, in bytes. */
const maxShownBytes = 3000;

/**
 * Returns the text of a review for a person: the number of issues, each with its place, and the
 * verdict.
 */
export function formatReviewFindings(
  review: Pick<Review, 'gaps' | 'assessments'>,
  work?: Pick<TaskWork, 'repairs'>,
): string {
  const issues = review.gaps.filter(
    (gap) => gap.raisedBy === 'review' && !gap.description.startsWith('review: '),
  );
  const verdict = verdictIn(review);
  const repairs = work?.repairs ?? 0;
  const count = `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'} found:`;
  const lines = issues.map(
    (gap) => `  ${issueText({ severity: gap.severity, text: gap.description, ...gap.location })}`,
  );
  const text = textOf(review);
  return [
    issues.length > 0
      ? [count, ...lines].join('\n')
      : text === ''
        ? 'No issues found'
        : truncateBytes(text, maxShownBytes),
    `Verdict: REVIEW_${verdict.toUpperCase()}${repairedText(repairs)}`,
  ].join('\n\n');
}

function repairedText(repairs: number): string {
  return repairs === 0
    ? ''
    : ` (repaired ${plural(repairs, 'time')} by linter or reviewers, and reviewed again)`;
}

export function taskQuestionTexts(
  task: Pick<ReviewTask, 'id' | 'name'>,
  review: Review | undefined,
  work: TaskWork | undefined,
): HumanTexts {
  const findings = review === undefined ? '' : textOf(review);
  return {
    title: `📋 Review: ${task.id} — ${task.name}`,
    assessment: review === undefined ? 'No review took place.' : formatReviewFindings(review, work),
    ...(work !== undefined && { changes: diffsOf(work.change).join('') }),
    details: findings === '' ? 'The reviewers reported nothing.' : findings,
    note: fixRequest(findings),
  };
}
