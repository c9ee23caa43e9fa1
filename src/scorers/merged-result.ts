import type { CriterionResult } from '../core/criterion.js';
import type { Reading } from './read-scores.js';

/** Returns the results of a list as one: it passes if every result does. */
export function mergedResult(readings: readonly Reading[]): CriterionResult {
  const [first] = readings;
  if (first !== undefined && readings.length === 1) return first.result;
  const judged = readings.filter(({ result }) => !isUnscored(result));
  const failed = judged.filter(({ result }) => !result.passed);
  const counted = failed.length > 0 ? failed : judged;
  const open = readings.find(({ result }) => result.undecided !== undefined)?.result.undecided;
  const score = Math.min(1, ...counted.map(({ result }) => result.score));
  const details = counted.map(({ key, result }) => `${key}: ${result.details}`).join(' ');
  if (failed.length > 0) {
    const findings = failed.map(({ key, result }) => ({
      description: `${key}: ${result.details}`,
    }));
    return { passed: false, score, details, findings };
  }
  if (open !== undefined) return { passed: false, score: 0, details: open, undecided: open };
  if (judged.length > 0) return { passed: true, score, details };
  const skipped = readings.map(({ key, result }) => `${key}: ${result.skipped}`).join(' ');
  return { passed: false, score: 0, details: skipped, skipped };
}

function isUnscored({ skipped, undecided }: CriterionResult): boolean {
  return skipped !== undefined || undecided !== undefined;
}
