import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import type { Severity } from '../core/severity.js';

/** The five quality levels, worst first; their ranks are 0 to 4. */
export const QualityLevelSchema = builtOnUse(() =>
  z.enum(['poor', 'needs_work', 'acceptable', 'good', 'excellent']),
);

/** A quality level in words, from `poor` to `excellent`. */
export type QualityLevel = z.infer<typeof QualityLevelSchema>;

/** Returns the rank: `poor` 0, `needs_work` 1, `acceptable` 2, `good` 3, `excellent` 4. */
export function levelRank(level: QualityLevel): number {
  return QualityLevelSchema.options.indexOf(level);
}

/** Returns the score of a level, from 0 to 1: its rank divided by 4. */
export function scoreOfLevel(level: QualityLevel): number {
  return levelRank(level) / 4;
}

/** Returns the level of a score from 0 to 1. Each fifth of the range is one level. */
export function levelOfScore(score: number): QualityLevel {
  return QualityLevelSchema.options[Math.min(4, Math.floor(score * 5))] ?? 'poor';
}

/** With this number of minor issues or more, work is only `acceptable`. */
const manyMinorIssues = 3;

/**
 * Returns the level of work with these issues. Without issues it is `excellent`, with up to two
 * minor ones `good`, with more `acceptable`. With a major issue it is `needs_work`, with a critical
 * one `poor`. An issue without a severity counts as major.
 */
export function levelOfIssues(
  issues: readonly { readonly severity?: Severity | undefined }[],
): QualityLevel {
  const has = (severity: Severity): boolean =>
    issues.some((issue) => (issue.severity ?? 'major') === severity);
  if (has('critical')) return 'poor';
  if (has('major')) return 'needs_work';
  if (issues.length >= manyMinorIssues) return 'acceptable';
  return issues.length > 0 ? 'good' : 'excellent';
}
