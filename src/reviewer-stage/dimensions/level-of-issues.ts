import type { DimensionIssue } from '../dimension.js';
import type { QualityLevel } from '../quality-level.js';

/** From how many minor issues on work is no longer good. */
const manyMinor = 3;

/**
 * The level that issues make, by the meanings of seed 003: none is excellent, minor ones are good, several of them acceptable,
 * a major one must be addressed, and a critical one is a significant problem.
 */
export function levelOfIssues(issues: readonly Pick<DimensionIssue, 'severity'>[]): QualityLevel {
  const has = (severity: DimensionIssue['severity']): boolean =>
    issues.some((issue) => (issue.severity ?? 'major') === severity);
  if (has('critical')) return 'poor';
  if (has('major')) return 'needs_work';
  if (issues.length >= manyMinor) return 'acceptable';
  return issues.length > 0 ? 'good' : 'excellent';
}
