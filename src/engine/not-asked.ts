import type { Assessment } from '../core/assessment.js';
import type { ReviewerReply } from './reviewer-reply.js';

/** The answers of all tiers. */
export interface AskedTiers {
  readonly answers: readonly ReviewerReply[];
  /** Those that were not asked. */
  readonly skipped: readonly Assessment[];
  readonly proposedTree: string | undefined;
}

/** Returns assessments of reviewers that were not asked. */
export function notAsked(reviewers: readonly { readonly id: string }[], why: string): Assessment[] {
  return reviewers.map(({ id }) => ({
    verdict: 'skipped',
    criterion: id,
    reason: `not asked: ${why}`,
  }));
}
