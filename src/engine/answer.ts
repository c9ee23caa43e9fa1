import * as z from 'zod';
import { ReviewLoopError } from '../core/errors.js';
import { type HumanAnswer, HumanAnswerSchema, isExpired, isOverride } from '../core/human.js';
import type { RunJournal } from './journal.js';

/** Which version of which run is meant. */
export interface VersionReference {
  readonly runId: string;
  readonly digest: string;
}

/** Which question of which version is answered. */
export interface RequestReference {
  readonly runId: string;
  readonly id: string;
  readonly digest: string;
}

/**
 * An answer that may be recorded: to an open question, about its very version, of a kind that it allows, with the words
 * that its kind needs.
 *
 * @throws ReviewLoopError
 */
export function checkedAnswer(
  journal: RunJournal,
  { runId, id, digest }: RequestReference,
  { given, now }: { readonly given: HumanAnswer; readonly now: number },
): HumanAnswer {
  const request = journal.requests.get(id);
  if (request === undefined)
    throw new ReviewLoopError('request_unknown', `run ${runId} has asked no question ${id}`);
  if (journal.answers.has(id))
    throw new ReviewLoopError(
      'request_unknown',
      `question ${id} of run ${runId} is already answered`,
    );
  if (request.digest !== digest)
    throw new ReviewLoopError(
      'request_stale',
      `question ${id} is about version ${request.digest}, not ${digest}`,
    );
  if (isExpired(request, now))
    throw new ReviewLoopError(
      'request_expired',
      `question ${id} of run ${runId} could be answered until ${request.expiresAt}`,
    );
  const parsed = z.safeParse(HumanAnswerSchema, given);
  if (!parsed.success)
    throw new ReviewLoopError(
      given?.kind === 'override' ? 'reason_required' : 'answer_invalid',
      `the answer was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: given },
    );
  const answer = parsed.data;
  if (!request.allowed.includes(answer.kind))
    throw new ReviewLoopError(
      'answer_not_allowed',
      `question ${id} allows ${request.allowed.join(', ')}, not ${answer.kind}`,
    );
  if (answer.kind === 'approve' && answer.reason === undefined && isOverride(request)) {
    const why =
      request.gaps.length > 0
        ? `version ${digest} has ${request.gaps.length} open gaps`
        : `reviewers did not approve version ${digest}`;
    throw new ReviewLoopError('reason_required', `${why}, so approving it is an override`);
  }
  return answer;
}

/**
 * An override that may be recorded.
 *
 * @throws ReviewLoopError `reason_required`
 */
export function checkedOverride(given: {
  readonly by: string;
  readonly reason: string;
}): HumanAnswer {
  const { by, reason } = { ...given };
  const parsed = z.safeParse(HumanAnswerSchema, { kind: 'override', by, reason });
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    'reason_required',
    `the override was refused: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: { by, reason } },
  );
}
