import { isNonEmpty } from '../core/decision.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { type AskRequest, type HumanAnswer, type HumanRequest, isExpired } from '../core/human.js';
import { deepFrozen, digestOf } from '../core/json.js';
import type { Version } from '../core/version.js';
import { checkQuestion } from './check-reply.js';
import type { Definition } from './definition.js';
import { engineErrors } from './errors.js';
import type { PendingQuestion, Run } from './run.js';
import type { WorkOptions } from './run-options.js';
import { answerOrPending } from './run-questions.js';
import type { RunResult } from './run-result.js';
import { type Leaf, within } from './timed-call.js';

type Telling = Pick<Definition<never, never>, 'human' | 'clock' | 'logger' | 'timeouts'>;

/** An expired question ends the run as `timed_out`: silence is never approval. */
export async function suspend<Output>(
  run: Run,
  definition: Telling,
  version: Version<Output> | undefined,
): Promise<RunResult<Output>> {
  const requests: HumanRequest[] = [];
  for (const pending of run.pending.values())
    requests.push(await announce(run, definition, pending));
  deepFrozen(requests);
  if (!isNonEmpty(requests))
    throw new ReviewLoopError('policy_failed', 'the run has no question to suspend it with');
  const expired = requests.find(
    (request) => run.journal?.expired.has(request.id) || isExpired(request, definition.clock.now()),
  );
  if (expired !== undefined)
    return {
      status: 'timed_out',
      code: 'request_expired',
      reason: `nobody answered by ${expired.expiresAt}: ${expired.question}`,
      version,
    };
  const counted = requests.length === 1 ? 'an answer' : `${requests.length} answers`;
  const reason = `waiting for ${counted}: ${requests.map(({ question }) => question).join(' / ')}`;
  return { status: 'suspended', code: 'waiting', reason, version, requests };
}

/** Records and notifies only once for each question. */
async function announce(
  run: Run,
  { human, clock, logger, timeouts }: Telling,
  pending: PendingQuestion,
): Promise<HumanRequest> {
  const known = run.journal?.requests.get(pending.id);
  const ms = human?.expiresAfterMs;
  const request =
    known ??
    (ms === undefined
      ? pending
      : { ...pending, expiresAt: new Date(clock.now() + ms).toISOString() });
  if (known === undefined) {
    checkQuestion(request);
    await run.journal?.append({ type: 'request', request, at: clock.now() });
    run.replaying = false;
  }
  run.emit('human-request', () => ({ request, from: pending.from }));
  const name = `notify:${request.id}`;
  if (human?.notify === undefined || run.journal?.step(name, request.id) !== undefined)
    return request;
  try {
    const what = 'notifying a person';
    await run.over(what, within(clock, timeouts.checkMs, what, human.notify(request)));
    await run.journal?.append({
      type: 'step',
      name,
      input: request.id,
      value: true,
      at: clock.now(),
    });
  } catch (error) {
    logger.error(
      { run: run.id, request: request.id, error: messageOf(error) },
      'notifying a person failed; the question stays open',
    );
  }
  return request;
}

interface AskingWork {
  readonly asking: boolean;
  readonly waiting: boolean;
}

/**
 * Without an answer, the question becomes pending. A question of a reviewer is about its version,
 * any other one about its subject.
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

/** For work that has returned although a question is open. */
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
