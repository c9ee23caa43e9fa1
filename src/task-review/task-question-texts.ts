import type { Review } from '../core/review.js';
import type { HumanTexts } from '../ports/human-gate.js';
import { truncateBytes } from '../text/truncate.js';
import { textOf, verdictIn } from './read-review.js';
import { issueText } from './review-answer.js';
import type { ReviewTask } from './task.js';
import { fixRequest } from './task-result.js';
import type { TaskWork } from './task-work.js';

const mostShown = 3000;

/** What a person sees of a review: how many issues, each with its place, and the verdict (seed 002's screen). */
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
  const said = textOf(review);
  return [
    issues.length > 0
      ? [count, ...lines].join('\n')
      : said === ''
        ? 'No issues found'
        : truncateBytes(said, mostShown),
    `Verdict: REVIEW_${verdict.toUpperCase()}${repairs > 0 ? ` (auto-fixed ${repairs} ${repairs === 1 ? 'time' : 'times'}, and reviewed again)` : ''}`,
  ].join('\n\n');
}

/** The texts of seed 002's gate. */
export function taskQuestionTexts(
  task: Pick<ReviewTask, 'id' | 'name'>,
  review: Review | undefined,
  work: TaskWork | undefined,
): HumanTexts {
  const findings = review === undefined ? '' : textOf(review);
  return {
    title: `📋 Review: ${task.id} — ${task.name}`,
    assessment:
      review === undefined ? 'Nothing is known of a review.' : formatReviewFindings(review, work),
    ...(work !== undefined && { changes: work.change.diff }),
    details: findings === '' ? 'The reviewers said nothing.' : findings,
    note: fixRequest(findings),
  };
}
