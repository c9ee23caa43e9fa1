import { isJudged } from '../core/assessment.js';
import { checkKeys, invalid } from '../core/options.js';
import {
  keepBest,
  type ProtectedCriteria,
  protection,
  type Ranking,
  turnedFromPass,
} from '../core/ranking.js';

/** How {@link preferred} reads comparisons. */
export interface PreferredOptions {
  /** The criterion that compares. @default 'pairwise' */
  readonly by?: string | undefined;
  /** Criteria that no preference makes up for. @default none */
  readonly protect?: ProtectedCriteria | undefined;
  /** Decides where the two were not compared. @default keepBest({ protect }) */
  readonly otherwise?: Ranking | undefined;
}

/**
 * Ranks by what a `pairwise` reviewer recorded: the challenger wins when it was found better than this very incumbent, in both orders; a
 * tie or a flip keeps the incumbent. Reading a record, it stays pure.
 *
 * @throws ReviewLoopError `invalid_options`
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
