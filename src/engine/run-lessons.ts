import * as z from 'zod';
import { messageOf } from '../core/errors.js';
import { digestJson } from '../core/json.js';
import type { Outcome } from '../core/outcome.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';
import { within } from './timed-call.js';
import { WorkContext } from './work-context.js';

/** If that fails, the run continues without lessons. */
export async function recallLessons<Task, Output>(
  run: Run,
  { learn, logger, timeouts }: Definition<Task, Output>,
  task: Task,
): Promise<void> {
  if (learn === undefined) return;
  try {
    const scope = new WorkContext(run, {
      name: 'lessons',
      phase: 'produce',
      digest: '',
      version: '',
      timeoutMs: timeouts.checkMs,
    });
    run.lessons = await scope.whole(digestJson(task), z.string(), () => learn.relevantTo(task));
  } catch (error) {
    logger.warn(
      { run: run.id, error: messageOf(error) },
      'lessons could not be read; the run continues without them',
    );
  }
}

/** A failure is logged. */
export async function captureLessons<Task, Output>(
  run: Run,
  { name, learn, logger, clock, timeouts }: Definition<Task, Output>,
  task: Task,
  outcome: Outcome<Output>,
): Promise<void> {
  if (learn?.capture === undefined || outcome.status === 'suspended') return;
  try {
    const what = 'capturing lessons';
    const captured = learn.capture({ task, outcome, agentId: name });
    await run.over(what, within(clock, timeouts.checkMs, what, captured));
  } catch (error) {
    logger.error(
      { run: outcome.runId, error: messageOf(error) },
      'capturing lessons failed; the outcome is not affected',
    );
  }
}
