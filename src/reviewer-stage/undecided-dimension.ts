import type { Reviewer } from '../core/reviewer.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { nothingToReview } from './nothing-to-review.js';

/** Creates the reviewer of a dimension that no model judges: a person can decide it. */
export function undecidedDimension({
  id,
  name,
}: Pick<Dimension, 'id' | 'name'>): Reviewer<unknown, CompletedWork> {
  return {
    id,
    version: 'undecided/1',
    tier: 'model',
    review: async ({ output }) => {
      const reason = nothingToReview(output);
      return reason !== undefined
        ? [{ verdict: 'skipped', criterion: id, reason }]
        : [
            {
              verdict: 'undecided',
              criterion: id,
              reason: 'no model was asked',
              question: `${name}: is it good enough?`,
              decidableBy: ['model', 'person'],
            },
          ];
    },
  };
}
