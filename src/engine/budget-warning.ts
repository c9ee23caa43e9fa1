import type { Definition } from './definition.js';
import type { Run } from './run.js';

/** Warns once, after a reviewer was asked, if a budget is set but nothing reports usage. */
export function warnOfMissingUsage<Task, Output>(
  run: Run,
  { reviewers, logger }: Definition<Task, Output>,
): void {
  if (!run.reviews.some(({ reused }) => (reused?.verdicts ?? 0) < reviewers.length)) return;
  run.warned = true;
  const message =
    'a budget in tokens or money is set, but nothing reports its usage: call context.reportUsage';
  logger.warn({ run: run.id }, message);
  run.emit('budget-warn', () => ({ message }));
}
