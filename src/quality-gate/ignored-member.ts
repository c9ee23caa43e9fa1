import * as z from 'zod';

/** Keys that open the gate if they stand in a place that the gate does not read. */
const reviewing = new Set(['reviews', 'run_each', 'quality_criteria']);

/**
 * A member of DeepWork's job files that the gate does not read. A review inside of it would never
 * be made, so it is refused.
 */
export const ignoredMember = z
  .unknown()
  .superRefine((value, context) => {
    const path = misplacedReview(value, 0);
    if (path !== undefined)
      context.addIssue({
        code: 'custom',
        path,
        message: 'is not read here; move it into `reviews` of a step',
      });
  })
  .optional();

/** The depth to search. Deeper data is not of DeepWork's format. */
const maxDepth = 8;

/** Returns the path of the first key that belongs to a review. */
function misplacedReview(value: unknown, depth: number): PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if (!isList && reviewing.has(key.toLowerCase())) return [key];
    const inner = misplacedReview(member, depth + 1);
    if (inner !== undefined) return [isList ? Number(key) : key, ...inner];
  }
  return undefined;
}
