import type { HumanAnswer } from '../core/human.js';
import { invalid } from '../core/options.js';
import type { Definition } from './definition.js';
import {
  type AnsweredRun,
  checkedAnswer,
  type RequestReference,
  recordInAudit,
  refuseExpired,
  type VersionReference,
} from './human-answers.js';
import type { RunJournal } from './journal.js';
import { isRunId } from './run-id.js';

/** An answer of a person, and the run that it is for. */
interface GivenAnswer {
  readonly journal: RunJournal;
  readonly reference: RequestReference;
  readonly given: HumanAnswer;
}

/**
 * Checks an answer, records it in the audit log, then in the journal. An answer that comes too late
 * ends the run.
 *
 * @throws ReviewLoopError `request_unknown`, `request_answered`, `request_stale`,
 *   `request_expired`, `answer_invalid`, `answer_not_allowed`, `reason_required`,
 *   `audit_unwritable`, `journal_write_failed`
 */
export async function takeAnswer(
  definition: Pick<Definition<never, never>, 'audit' | 'clock'>,
  run: AnsweredRun,
  { journal, reference, given }: GivenAnswer,
): Promise<{ readonly answer: HumanAnswer; readonly at: number }> {
  const at = definition.clock.now();
  await refuseExpired(
    journal,
    at,
    ({ id, digest }) => id === reference.id && digest === reference.digest,
  );
  const answer = checkedAnswer(journal, reference, { given, now: at });
  const kind = answer.kind === 'override' ? 'override' : 'answer';
  await recordInAudit(definition, run, { kind, reference, answer });
  const { id, digest } = reference;
  const undecided = journal.requests.get(id)?.undecided ?? [];
  const questions =
    answer.kind === 'decide' &&
    Object.fromEntries(undecided.map(({ criterion, question }) => [criterion, question]));
  await journal.append({ type: 'answer', id, digest, answer, ...(questions && { questions }), at });
  return { answer, at };
}

/** @throws ReviewLoopError `invalid_options` unless a value names a question of a run */
export function checkRequest(request: RequestReference): void {
  checkReference('request', request);
}

/** @throws ReviewLoopError `invalid_options` unless a value names a version of a run */
export function checkVersion(version: VersionReference): void {
  checkReference('version', version);
}

function checkReference(name: string, reference: VersionReference): void {
  if (
    typeof reference !== 'object' ||
    reference === null ||
    !isRunId(reference.runId) ||
    typeof reference.digest !== 'string'
  )
    throw invalid(name, 'an object with a `runId` and a `digest`', reference);
}
