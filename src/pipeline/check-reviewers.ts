import { ReviewLoopError } from '../core/errors.js';
import { checkChoice, checkList, invalid } from '../core/options.js';
import { type Reviewer, tiers } from '../core/reviewer.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import type { VerdictStore } from '../ports/verdict-store.js';

interface Given {
  readonly verdicts?: VerdictStore;
  readonly logger?: Logger;
}

/** Checks ids, tiers and order. @throws ReviewLoopError `invalid_options`, `duplicate_id` */
export function checkReviewers(reviewers: readonly Reviewer<never, never>[]): void {
  checkList('reviewers', reviewers);
  const ids = new Map<string, string>();
  for (const reviewer of reviewers) {
    if (
      typeof reviewer?.id !== 'string' ||
      reviewer.id === '' ||
      typeof reviewer.review !== 'function'
    )
      throw invalid('reviewers', 'reviewers with an id and a `review` function', reviewer);
    const { id, tier, after = [] } = reviewer;
    if (tier === undefined) throw invalid(`tier of ${id}`, 'set', tier);
    checkChoice(`tier of ${id}`, tier, tiers);
    checkList(`after of ${id}`, after);
    if (ids.has(reviewer.id))
      throw new ReviewLoopError('duplicate_id', `two reviewers have the id ${reviewer.id}`);
    ids.set(reviewer.id, reviewer.tier);
    const stray = after.find((id) => id === reviewer.id || ids.get(id) !== reviewer.tier);
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
