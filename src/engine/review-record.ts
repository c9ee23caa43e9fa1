import type { Decision } from '../core/decision.js';
import type { UndecidedReview } from '../core/policy.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';

/** Adds a decided review to the run, and reports it to the store, the log and listeners. */
export async function recordReview<Task, Output>(
  run: Run,
  { logger, events, name }: Definition<Task, Output>,
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
  events.emit('review-end', () => ({ runId: run.id, iteration, review, best: better }));
}

/** Emits the event for a new version. */
export function announceVersion<Task, Output>(
  run: Run,
  { events }: Definition<Task, Output>,
  { iteration, digest, parent, output }: Version<Output>,
): void {
  events.emit('version-produce', () => ({ runId: run.id, iteration, digest, parent, output }));
}
