import { requirementPrefix } from '../core/scores.js';

/**
 * Returns the short ids of requirements by criterion: `R1` and up, in the order of the task. A
 * requirement has the same id in every list of one review.
 */
export function requirementIds(
  assessments: readonly { readonly criterion: string }[],
): ReadonlyMap<string, string> {
  const criteria = assessments
    .map(({ criterion }) => criterion)
    .filter((criterion) => criterion.startsWith(requirementPrefix));
  return new Map([...new Set(criteria)].map((criterion, index) => [criterion, `R${index + 1}`]));
}
