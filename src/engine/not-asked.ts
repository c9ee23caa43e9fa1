import type { Assessment } from '../core/assessment.js';
import type { ReviewerReply } from './reviewer-reply.js';

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
