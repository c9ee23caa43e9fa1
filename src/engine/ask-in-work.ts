import { ReviewLoopError } from '../core/errors.js';
import type { AskRequest, HumanAnswer } from '../core/human.js';
import { digestOf } from '../core/json.js';
import { engineErrors } from './errors.js';
import type { Run } from './run.js';
import { answerOrPending } from './run-questions.js';
import type { Leaf } from './timed-call.js';
import type { WorkOptions } from './work-options.js';

/** The state of work that may ask. */
interface AskingWork {
  /** Whether a question is open. */
  readonly asking: boolean;
  /** Whether it can continue only with the answer of a person. */
  readonly waiting: boolean;
}

/**
 * Returns the answer to a question of `produce`, `address` or a reviewer. Without one, the question
 * becomes pending. A question of a reviewer is about its version, any other one about its subject.
 *
 * @throws ReviewLoopError `ask_needs_run`, `not_json`
 */
export function askInWork(
  run: Run,
  { name: work, phase, version }: WorkOptions,
  name: string,
  request: AskRequest,
): HumanAnswer | undefined {
  if (run.journal === undefined)
    throw new ReviewLoopError(engineErrors.ask_needs_run, `${work} asked a person`);
  if (run.neverReplays)
    throw new ReviewLoopError(
      engineErrors.ask_needs_run,
      `${work} asked a person, but declares no parameter for its context, so run ${run.id} ` +
        'recorded nothing; declare the parameter, or pass a `runId`',
    );
  if (phase === 'review')
    return answerOrPending(run, name, { from: 'reviewer', digest: version }, request);
  const digest = digestOf(request.subject ?? request.question);
  return answerOrPending(run, name, { from: phase, digest }, request);
}

/** How many turns of the microtask queue other branches of the work have to ask too. */
const turns = 100;

/**
 * Ends the call of `produce` or `address` once it can continue only with the answers of people. Its
 * slot is free then, and its timeout no longer counts.
 */
export async function suspendWork(run: Run, work: AskingWork, whole: Leaf): Promise<void> {
  for (let turn = 0; turn < turns && work.waiting; turn += 1) await Promise.resolve();
  if (work.waiting) whole.fail(suspended(run));
}

/** Returns the error that ends work which has returned although a question is open, if one is. */
export async function suspensionOf(
  run: Run,
  work: AskingWork,
): Promise<ReviewLoopError | undefined> {
  for (let turn = 0; turn < turns && work.asking; turn += 1) await Promise.resolve();
  return work.asking ? suspended(run) : undefined;
}

function suspended(run: Run): ReviewLoopError {
  run.suspension ??= new ReviewLoopError(
    engineErrors.suspended,
    `run ${run.id} waits for ${[...run.pending.values()].map(({ question }) => question).join(' / ')}`,
  );
  return run.suspension;
}
