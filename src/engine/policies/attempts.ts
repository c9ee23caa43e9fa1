import { isVerdict } from '../../core/assessment.js';
import type { Evidence, UndecidedReview } from '../../core/policy.js';
import type { Review } from '../../core/review.js';
import { overallSoFar } from '../../core/scores.js';

/** Counts what attempts to fix did to criteria. Each attempt is compared with its base version. */
export interface RepairLedger {
  /** Attempts to fix. */
  readonly attempts: number;
  /** Criteria that failed before an attempt. */
  readonly failing: number;
  /** Criteria that failed before an attempt and passed after it. */
  readonly repaired: number;
  /** Criteria that passed before an attempt. */
  readonly passing: number;
  /** Criteria that passed before an attempt and failed after it. */
  readonly broken: number;
}

export const emptyLedger: RepairLedger = Object.freeze({
  attempts: 0,
  failing: 0,
  repaired: 0,
  passing: 0,
  broken: 0,
});

export function addLedgers(one: RepairLedger, other: RepairLedger): RepairLedger {
  return {
    attempts: one.attempts + other.attempts,
    failing: one.failing + other.failing,
    repaired: one.repaired + other.repaired,
    passing: one.passing + other.passing,
    broken: one.broken + other.broken,
  };
}

/**
 * Returns the ledger of a finished run, for `doNoHarm` in later runs.
 *
 * @param reviews - The reviews of an outcome, oldest first.
 */
export function repairLedger(reviews: readonly Review[]): RepairLedger {
  const last = reviews.at(-1);
  return last === undefined
    ? emptyLedger
    : ledgerOf({ history: reviews.slice(0, -1), review: last });
}

/** A new first output does not count as an attempt. */
export function ledgerOf({ history, review }: Pick<Evidence, 'history' | 'review'>): RepairLedger {
  const reviews: readonly UndecidedReview[] = [...history, review];
  let ledger = emptyLedger;
  for (let index = 1; index < reviews.length; index += 1) {
    if (isAnew(history[index - 1])) continue;
    const after = reviews[index] as UndecidedReview;
    ledger = addLedgers(ledger, attempt(baseOf(after, reviews.slice(0, index)), after));
  }
  return ledger;
}

export function isAnew(review: Review | undefined): boolean {
  return review?.decision.kind === 'revise' && review.decision.from === 'anew';
}

function attempt(from: UndecidedReview | undefined, after: UndecidedReview): RepairLedger {
  const before = new Map(from?.assessments.map(({ criterion, verdict }) => [criterion, verdict]));
  const counts = { attempts: 1, failing: 0, repaired: 0, passing: 0, broken: 0 };
  for (const { criterion, verdict } of after.assessments.filter(isVerdict)) {
    const was = before.get(criterion);
    if (was === 'fail') counts.failing += 1;
    if (was === 'pass') counts.passing += 1;
    if (was === 'fail' && verdict === 'pass') counts.repaired += 1;
    if (was === 'pass' && verdict === 'fail') counts.broken += 1;
  }
  return counts;
}

/** If the parent is unknown, the best earlier review. */
export function baseOf(
  { parent }: UndecidedReview,
  before: readonly UndecidedReview[],
): UndecidedReview | undefined {
  const known = parent === undefined ? undefined : before.find(({ version }) => version === parent);
  return (
    known ??
    before.reduce<UndecidedReview | undefined>(
      (best, review) =>
        best === undefined ||
        (overallSoFar(review.scores) ?? -1) > (overallSoFar(best.scores) ?? -1)
          ? review
          : best,
      undefined,
    )
  );
}
