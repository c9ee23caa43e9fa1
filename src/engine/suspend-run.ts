import { isNonEmpty } from '../core/decision.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { deepFrozen } from '../core/freeze.js';
import { type HumanRequest, isExpired } from '../core/human.js';
import type { Version } from '../core/version.js';
import { checkQuestion } from './check-reply.js';
import type { Definition } from './definition.js';
import type { PendingQuestion, Run } from './run.js';
import type { RunResult } from './run-result.js';
import { within } from './with-deadline.js';

type Telling = Pick<Definition<never, never>, 'human' | 'clock' | 'logger' | 'timeouts'>;

/**
 * Records the pending questions, notifies people, and suspends the run. An expired question ends
 * the run as `timed_out`: silence is never approval.
 */
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

/** Records a question and notifies people, each only once. */
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
