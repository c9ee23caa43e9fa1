import type { Review } from '../core/review.js';
import type { ChecklistItem, ChecklistState } from './checklist.js';

/** Why items were not verified, as the review tells. */
export function reasonsOf(review: Review | undefined): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const assessment of review?.assessments ?? []) {
    if (assessment.verdict === 'skipped')
      reasons.set(assessment.criterion, `not verified: ${assessment.reason}`);
    if (assessment.verdict === 'errored')
      reasons.set(assessment.criterion, `could not be verified: ${assessment.error.message}`);
  }
  return reasons;
}

/** The items whose judge failed. */
export function erroredItems(
  { items }: ChecklistState,
  review: Review | undefined,
): ChecklistItem[] {
  const failed = new Set(
    review?.assessments.flatMap(({ verdict, criterion }) =>
      verdict === 'errored' ? [criterion] : [],
    ),
  );
  return items.filter(({ id }) => failed.has(id));
}
