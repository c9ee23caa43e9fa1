import type { Requirement } from './requirement.js';

/** The fewest lines whose loss shows that a document was misread. */
const fewest = 3;
/** The share of what a document asks that must stay visible. */
const leastShare = 0.1;

/**
 * Returns whether a ground to leave text out hides nearly all of what a document asks without it: at
 * least three lines, and nine of ten.
 */
export function hidesNearlyAll(
  found: readonly Requirement[],
  without: readonly Requirement[],
): boolean {
  const hidden = without.length - found.length;
  return hidden >= fewest && found.length <= without.length * leastShare;
}
