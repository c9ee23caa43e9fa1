import { isJudged } from '../../core/assessment.js';
import { checkKeys, invalid } from '../../core/options.js';
import {
  keepBest,
  type ProtectedCriteria,
  protection,
  type Ranking,
  turnedFromPass,
} from '../../core/ranking.js';

export interface PreferredOptions {
  /** The id of the criterion that compares. @default 'pairwise' */
  readonly by?: string | undefined;
  /** Criteria that a preferred version must still pass. @default [] */
  readonly protect?: ProtectedCriteria | undefined;
  /** Ranks two versions that were not compared. @default keepBest({ protect }) */
  readonly otherwise?: Ranking | undefined;
}

/**
 * Ranks by the comparisons that a `pairwise` reviewer recorded. The challenger wins if it was
 * better than this incumbent in both orders. With a tie or a preference that changes with the
 * order, the incumbent stays.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const ranking = preferred({ protect: ['tests'] });
 * ```
 */
export function preferred(options: PreferredOptions = {}): Ranking {
  checkKeys('preferred', options, ['by', 'protect', 'otherwise']);
  const { by = 'pairwise', protect, otherwise = keepBest({ protect }) } = options;
  if (typeof otherwise !== 'function') throw invalid('otherwise', 'a ranking', otherwise);
  const isProtected = protection(protect);
  return (challenger, incumbent) => {
    const found = challenger.assessments.find(({ criterion }) => criterion === by);
    const comparison = found !== undefined && isJudged(found) ? found.comparison : undefined;
    if (comparison?.with !== incumbent.iteration) return otherwise(challenger, incumbent);
    return (
      comparison.result === 'better' &&
      turnedFromPass(incumbent, challenger, isProtected).length === 0
    );
  };
}
