import type { Reviewer } from '../core/reviewer.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension } from './dimension.js';

/** Creates the reviewer of a dimension that no model judges: a person can decide it. */
export function undecidedDimension({
  id,
  name,
}: Pick<Dimension, 'id' | 'name'>): Reviewer<unknown, CompletedWork> {
  return {
    id,
    version: 'undecided/1',
    tier: 'model',
    review: async ({ output }) =>
      output.changedFiles.length === 0
        ? [{ verdict: 'skipped', criterion: id, reason: 'no file was changed' }]
        : [
            {
              verdict: 'undecided',
              criterion: id,
              reason: 'no model was asked',
              question: `${name}: is it good enough?`,
              decidableBy: ['model', 'person'],
            },
          ],
  };
}
