import type { Assessment } from './assessment.js';
import type { Decision } from './decision.js';
import type { Gap } from './gap.js';
import type { Scores } from './scores.js';
import type { Usage } from './usage.js';

/** One review of one version by all reviewers. */
export interface Review {
  /** The number of the review, counted from 1. */
  readonly iteration: number;
  /** The digest of the version that was reviewed. */
  readonly version: string;
  /** The digest of the version that it was made from. Undefined for the first version. */
  readonly parent?: string | undefined;
  /** The assessments of all reviewers. */
  readonly assessments: readonly Assessment[];
  /** What reviewers found in this very version, worst first. */
  readonly gaps: readonly Gap[];
  /** Gaps of the parent version that their own judge looked for, and no longer reports. */
  readonly fixed: readonly Gap[];
  /**
   * Gaps of the parent version that their criterion said nothing about: `lifecycle` is `gone` if it
   * no longer applies, by a check of code, else `unknown`. Undefined if there are none.
   */
  readonly closed?: readonly Gap[] | undefined;
  readonly scores: Scores;
  /** What the policy decided. */
  readonly decision: Decision;
  /** Whether every reviewer was asked and answered. An incomplete review cannot be approved. */
  readonly complete: boolean;
  /** What the calls of this review used. */
  readonly usage: Usage;
  /**
   * How many verdicts were reused because the data was equal, and what they had used. Undefined if
   * none was reused.
   */
  readonly reused?: { readonly verdicts: number; readonly saved: Usage } | undefined;
  /** How long the review took, in milliseconds. */
  readonly durationMs: number;
  /** ISO 8601. */
  readonly at: string;
}
