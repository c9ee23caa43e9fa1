import { ReviewLoopError } from '../core/errors.js';
import type { DecisionAnswer, HumanAnswer } from '../core/human.js';
import { invalid } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import { checkRunId, isRunId } from '../ports/run-id.js';
import type { Definition } from './definition.js';
import { engineErrors } from './errors.js';
import {
  type AnsweredRun,
  checkApproval,
  checkedAnswer,
  checkedDecisions,
  checkedOverride,
  decidingRequest,
  type RequestReference,
  recordInAudit,
  refuseExpired,
  type VersionReference,
} from './human-answers.js';
import type { PendingDecisions, RunJournal } from './journal.js';
import { whileOpen } from './open-journal.js';
import { noProduce } from './produce.js';
import { Run } from './run.js';
import { checkRunOptions, type RunOptions } from './run-options.js';
import { checkedTask, inWorkspace, perform } from './run-pipeline.js';
import { requestId } from './run-questions.js';
import type { RunEnd } from './run-result.js';
import { trace } from './trace-run.js';

export async function answerRun<Task, Output>(
  definition: Definition<Task, Output>,
  reference: RequestReference,
  given: HumanAnswer,
  options: RunOptions = {},
): Promise<Outcome<Output>> {
  checkRequest(reference);
  return continued(definition, reference.runId, options, async (journal, run) => {
    const { answer, at } = await takeAnswer(definition, run, { journal, reference, given });
    return async () => run.tracer?.waited(reference.id, answer, at);
  });
}

/**
 * Accepts the version that a run ended with, although nobody approved it. The run is replayed from
 * its record, and ends as `accepted` if it reaches that version. Only then is the override audited
 * and recorded. Overriding a run that a person cannot override, such as an approved or a failed
 * one, changes nothing.
 */
export async function overrideRun<Task, Output>(
  definition: Definition<Task, Output>,
  version: VersionReference,
  given: { readonly by: string; readonly reason: string },
  options: RunOptions = {},
): Promise<Outcome<Output>> {
  checkVersion(version);
  const { runId, digest } = version;
  return continued(definition, runId, options, async (journal, run) => {
    const answer = checkedOverride(given);
    const record = async (): Promise<void> => {
      await recordInAudit(definition, run, {
        kind: 'override',
        reference: { runId, digest },
        answer,
      });
      await journal.append({
        type: 'answer',
        id: requestId(run, 'override', digest),
        digest,
        answer,
        at: definition.clock.now(),
      });
    };
    run.override = { digest, record };
  });
}

/**
 * Decides what no judge could tell about a version, and continues the run. The run is replayed from
 * its record. The decisions are audited and recorded once it reaches that version.
 */
export async function decideRun<Task, Output>(
  definition: Definition<Task, Output>,
  version: VersionReference,
  given: Omit<DecisionAnswer, 'kind'>,
  options: RunOptions = {},
): Promise<Outcome<Output>> {
  checkVersion(version);
  const { runId, digest } = version;
  return continued(definition, runId, options, async (journal, run) => {
    const answer = checkedDecisions(given);
    const asked = decidingRequest(journal, digest);
    if (answer.approve && asked === undefined && journal.requests.size > 0)
      throw decisionStale(runId, digest);
    checkApproval(answer, asked);
    const now = definition.clock.now();
    await refuseExpired(
      journal,
      now,
      ({ undecided, digest: asked }) => Boolean(undecided) && asked === digest,
    );
    const id = requestId(run, `decide:${journal.answers.size}`, digest);
    const record: PendingDecisions['record'] = async (questions) => {
      const reference = { runId, digest };
      await recordInAudit(definition, run, { kind: 'answer', reference, answer });
      const at = definition.clock.now();
      await journal.append({ type: 'answer', id, digest, answer, questions, at });
    };
    run.decisions = { digest, answer, record, taken: false };
  });
}

export function resumeRun<Task, Output>(
  definition: Definition<Task, Output>,
  runId: string,
  options: RunOptions = {},
): Promise<Outcome<Output>> {
  if (definition.produce === undefined) throw noProduce(definition);
  checkRunId(runId);
  return continued(definition, runId, options, async (journal, run) => {
    // one that only was created has nothing to replay
    if (journal.records.length === 1) run.replaying = false;
  });
}

/**
 * Continues a recorded run. `add` extends its record first, or sets the override to apply at its
 * end.
 */
async function continued<Task, Output>(
  definition: Definition<Task, Output>,
  runId: string,
  options: RunOptions,
  add: (journal: RunJournal, run: Run) => Promise<(() => Promise<void>) | void>,
): Promise<Outcome<Output>> {
  checkRunOptions(options);
  const { store = definition.store, signal, release, on, around } = options;
  const before = async (end: RunEnd): Promise<void> => {
    if (store.openKnown !== undefined) return;
    if ((await end.over('reading the run', store.read(runId))) === undefined)
      throw new ReviewLoopError(engineErrors.run_unknown, `the store has no run ${runId}`);
  };
  const opened = { runId, store, isKept: true, isKnown: true, signal, release, before };
  return whileOpen(definition, opened, async (journal, end) => {
    const { header } = journal;
    if (header === undefined)
      throw new ReviewLoopError(engineErrors.run_unknown, `the store has no run ${runId}`);
    const run = new Run({ id: runId, nonce: header.nonce, end, on }, definition, journal);
    await trace(run, definition, around);
    return await inWorkspace(run, async () => {
      const begin = await add(journal, run);
      const task = checkedTask(definition, header.task as Task);
      const outcome = await perform(run, definition, task, begin ?? undefined);
      if (run.override?.refused !== undefined) throw run.override.refused;
      throwIfNotTaken(run);
      return outcome;
    });
  });
}

function throwIfNotTaken({ id, decisions }: Run): void {
  if (decisions === undefined || decisions.taken) return;
  throw decisions.refused ?? decisionStale(id, decisions.digest);
}

function decisionStale(runId: string, digest: string): ReviewLoopError {
  const problem = `nothing is undecided in version ${digest} of run ${runId}`;
  return new ReviewLoopError(engineErrors.decision_stale, problem, { value: digest });
}

interface GivenAnswer {
  readonly journal: RunJournal;
  readonly reference: RequestReference;
  readonly given: HumanAnswer;
}

/**
 * Records the answer in the audit log, then in the journal. One that comes too late ends the run.
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

export function checkRequest(request: RequestReference): void {
  checkReference('request', request);
}

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
