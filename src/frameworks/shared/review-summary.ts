import type { Gap } from '../../core/gap.js';
import type { Review } from '../../core/review.js';

export interface GapSummary {
  readonly id: string;
  readonly severity: Gap['severity'];
  readonly description: string;
  readonly suggestedFix: string;
}

/** A review, as an agent or a page shows it. JSON data. */
export interface ReviewSummary {
  readonly approved: boolean;
  /** Why, in a sentence. */
  readonly reason: string;
  /** The gaps, worst first. */
  readonly gaps: readonly GapSummary[];
}

/** Returns what an agent needs to know about a review. */
export function reviewSummary({ decision, gaps }: Review): ReviewSummary {
  return {
    approved: decision.kind === 'approve',
    reason: decision.reason,
    gaps: gaps.map(gapSummary),
  };
}

function gapSummary({ id, severity, description, suggestedFix }: Gap): GapSummary {
  return { id, severity, description, suggestedFix };
}
