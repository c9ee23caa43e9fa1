import type { Decision } from '../core/decision.js';
import type { UndecidedReview } from '../core/policy.js';
import type { Review } from '../core/review.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';

/** Adds a decided review to the run, and reports it to the store, the log and listeners. */
export function recordReview<Task, Output>(
  run: Run,
  { logger, name }: Definition<Task, Output>,
  {
    finding,
    decision,
    better,
  }: {
    readonly finding: UndecidedReview;
    readonly decision: Decision;
    /** Whether its version is now the best. */
    readonly better: boolean;
  },
): Promise<void> | void {
  const review = run.shown({ ...finding, decision });
  run.reviews = run.shown([...run.reviews, review]);
  const written = run.journal?.review(review);
  return written === undefined
    ? tell(run, logger, name, review, better)
    : written.then(() => tell(run, logger, name, review, better));
}

function tell(
  run: Run,
  logger: Definition<never, never>['logger'],
  name: string,
  review: Review,
  better: boolean,
): void {
  const { iteration, scores, gaps, decision } = review;
  logger.info(
    {
      run: run.id,
      pipeline: name,
      iteration,
      overall: scores.overall,
      gaps: gaps.length,
      decision: decision.kind,
    },
    'review finished',
  );
  run.emit('review-end', () => ({ iteration, review, best: better }));
}

/** Emits the event for a new version. */
export function announceVersion<Output>(
  run: Run,
  { iteration, digest, parent, output }: Version<Output>,
): void {
  run.emit('version-produce', () => ({ iteration, digest, parent, output }));
}
