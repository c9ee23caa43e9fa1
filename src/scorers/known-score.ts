import { ReviewLoopError } from '../core/errors.js';
import { scorerErrors } from './errors.js';
import type { ReviewScore } from './review-score.js';

/**
 * Returns the score of an output, for frameworks that read `null` as 0.
 *
 * @throws ReviewLoopError `nobody_could_tell`
 */
export function knownScore({ name, score, metadata }: ReviewScore): number {
  if (score !== null) return score;
  throw new ReviewLoopError(
    scorerErrors.nobody_could_tell,
    `${name} has no score: ${metadata.rationale}`,
    { value: metadata },
  );
}
