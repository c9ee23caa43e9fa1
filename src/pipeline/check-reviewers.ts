import { ReviewLoopError } from '../core/errors.js';
import { invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import type { VerdictStore } from '../ports/verdict-store.js';

interface Given {
  readonly verdicts?: VerdictStore;
  readonly logger?: Logger;
}

/** Checks ids, tiers and order. @throws ReviewLoopError `invalid_options`, `duplicate_id` */
export function checkReviewers(reviewers: readonly Reviewer<never, never>[]): void {
  const ids = new Map<string, string>();
  for (const reviewer of reviewers) {
    if (
      typeof reviewer?.id !== 'string' ||
      reviewer.id === '' ||
      typeof reviewer.review !== 'function'
    )
      throw invalid('reviewers', 'reviewers with an id and a `review` function', reviewer);
    if (!['code', 'model', 'confirm'].includes(reviewer.tier))
      throw invalid(`the tier of ${reviewer.id}`, "'code', 'model' or 'confirm'", reviewer.tier);
    if (ids.has(reviewer.id))
      throw new ReviewLoopError('duplicate_id', `two reviewers have the id ${reviewer.id}`);
    ids.set(reviewer.id, reviewer.tier);
    const stray = reviewer.after?.find((id) => id === reviewer.id || ids.get(id) !== reviewer.tier);
    if (stray !== undefined)
      throw invalid(
        `after of ${reviewer.id}`,
        'ids of reviewers earlier in the list and of the same tier',
        stray,
      );
  }
}

/**
 * Returns the verdict store. Logs the reviewers whose verdicts it cannot reuse in later runs;
 * otherwise nobody would know why they are asked again.
 */
export function checkedVerdicts<Task, Output>(
  { verdicts, logger = silentLogger }: Given,
  reviewers: readonly Reviewer<Task, Output>[],
): VerdictStore | undefined {
  if (verdicts === undefined) return undefined;
  const within = reviewers.filter(({ reuse }) => reuse === 'run').map(({ id }) => id);
  if (within.length > 0)
    logger.info(
      { reviewers: within },
      'these reviewers set no `version`: their verdicts are not reused in later runs',
    );
  return verdicts;
}
