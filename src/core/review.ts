import type { Assessment } from './assessment.js';
import type { Decision } from './decision.js';
import type { Gap } from './gap.js';
import type { Scores } from './scores.js';
import type { Usage } from './usage.js';

/** One round over one version. */
export interface Review {
  /** Counted from 1. */
  readonly iteration: number;
  /** The digest of the version that was reviewed. */
  readonly version: string;
  /** The digest of the version that it was made from; none for the first. */
  readonly parent?: string | undefined;
  readonly assessments: readonly Assessment[];
  /** What is wrong with this version, the worst first; also what a judge that failed this time had raised before. */
  readonly gaps: readonly Gap[];
  /** Gaps of the parent version that their own judge no longer sees. */
  readonly fixed: readonly Gap[];
  readonly scores: Scores;
  readonly decision: Decision;
  /** Every reviewer was asked and answered. Nothing else can be approved. */
  readonly complete: boolean;
  /** What judging it cost. */
  readonly usage: Usage;
  /** Reviewers that were not asked, because their verdict over equal data was known, and what that verdict had cost; left out when there were none. */
  readonly reused?: { readonly verdicts: number; readonly saved: Usage } | undefined;
  readonly durationMs: number;
  /** ISO 8601. */
  readonly at: string;
}
