import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { Version } from '../core/version.js';
import type { Clock } from '../ports/clock.js';
import type { Definition } from './definition.js';
import { engineErrors } from './errors.js';
import type { Run } from './run.js';
import { failedResult, type RunResult } from './run-result.js';
import { suspend } from './suspend-run.js';

/**
 * Never rejects.
 *
 * @param best - The version that the run returns, if any.
 */
export async function endOfError<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  thrown: unknown,
  best: Version<Output> | undefined,
): Promise<RunResult<Output>> {
  let error = thrown;
  if (error === run.suspension && run.ended === undefined && run.ledger.overrun === undefined)
    try {
      return await suspend(run, definition, best);
    } catch (broken) {
      error = broken;
    }
  const { ended, ledger } = run;
  if (ended !== undefined) return failedResult(ended, best);
  const known = knownError(error);
  const isOver = known.code === 'budget_exceeded' || error === run.suspension;
  if (isOver && ledger.overrun !== undefined)
    return { status: 'exhausted', ...ledger.overrun, version: best };
  if (isInterrupt(known.cause)) {
    run.interrupt = known.cause;
    return failedResult(interrupted(known), best);
  }
  // work inside of the run may throw that something else was cancelled or timed out
  return { ...failedResult(known, best), status: 'failed' };
}

/**
 * Returns whether a thrown value is the control flow of a framework, which must reach the framework:
 * LangGraph marks it with `is_bubble_up`.
 */
export function isInterrupt(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'is_bubble_up' in thrown &&
    thrown.is_bubble_up === true
  );
}

function knownError(error: unknown): ReviewLoopError {
  return error instanceof ReviewLoopError
    ? error
    : new ReviewLoopError('policy_failed', `the run failed: ${messageOf(error)}`, { cause: error });
}

function interrupted({ what, cause }: ReviewLoopError): ReviewLoopError {
  return new ReviewLoopError(
    engineErrors.agent_interrupted,
    `${what}; this pauses an agent framework, and the run passes it on`,
    { cause },
  );
}

export function notReviewed<Output>(version: Version<Output>): RunResult<Output> {
  const reason = 'review is switched off';
  return {
    status: 'accepted',
    code: 'not_reviewed',
    reason,
    version,
    acceptance: { kind: 'not_reviewed', by: 'configuration', reason },
  };
}

/** A released run gets no end, and its call rejects. */
export async function letGo(run: Run, clock: Clock, error: unknown): Promise<void> {
  for (const [name, usage] of run.ledger.unwritten)
    await run.journal?.append({
      type: 'attempt',
      name,
      input: '',
      code: 'released',
      message: 'reported outside of a recorded step before the run was released',
      usage,
      at: clock.now(),
    });
  run.interrupt = error;
}
