import type { Decision } from '../core/decision.js';
import type { UndecidedReview } from '../core/policy.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';

/** Adds a decided review to the run, and reports it to the store, the log and listeners. */
export async function recordReview<Task, Output>(
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
): Promise<void> {
  const review = run.shown({ ...finding, decision });
  run.reviews = run.shown([...run.reviews, review]);
  await run.journal?.review(review);
  const { iteration, scores, gaps } = review;
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
