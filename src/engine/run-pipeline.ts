import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer } from '../core/human.js';
import { digestJson } from '../core/json.js';
import { onAbort } from '../core/on-abort.js';
import { checkKeys, invalid } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import type { Store } from '../ports/store.js';
import {
  checkedAnswer,
  checkedOverride,
  type RequestReference,
  type VersionReference,
} from './answer.js';
import { recordInAudit } from './audited.js';
import { checkedTask } from './checked-input.js';
import type { Definition } from './definition.js';
import { RunJournal } from './journal.js';
import { Loop } from './loop.js';
import { overrideId } from './override.js';
import { Run } from './run.js';
import { failedResult, outcomeOf, type RunResult } from './run-result.js';
import { within } from './with-deadline.js';
import { WorkContext } from './work-context.js';
import { whileClaimed } from './workspace-claim.js';

/** How one call of `run` or `answer` differs from the pipeline's settings. */
export interface RunOptions {
  /** Starts, or continues, the run of this id. @default a new id */
  readonly runId?: string | undefined;
  /** @default the pipeline's */
  readonly store?: Store | undefined;
  /** Ends the run with `cancelled` when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a run, or continues what is recorded under its id.
 *
 * @throws ReviewLoopError `task_invalid`, `not_json`, `run_conflict`, `run_busy`, `workspace_busy`, `no_produce`; everything else is an outcome.
 */
export async function startRun<Task, Output>(
  definition: Definition<Task, Output>,
  givenTask: Task,
  options: RunOptions = {},
): Promise<Outcome<Output>> {
  checkRunOptions(options);
  if (definition.produce === undefined)
    throw new ReviewLoopError('no_produce', `pipeline ${definition.name} has no \`produce\``);
  const { runId = definition.random.id(), store = definition.store } = options;
  if (!isRunId(runId))
    throw new ReviewLoopError(
      'invalid_options',
      `expected \`runId\` to be 1 to 200 letters, digits and . : @ _ -, got ${JSON.stringify(runId)}`,
      { value: runId },
    );
  const task = checkedTask(definition, givenTask);
  const journal = new RunJournal(await store.open(runId, options.runId !== undefined));
  try {
    const taskDigest = digestJson(task);
    const { header } = journal;
    if (header !== undefined && header.taskDigest !== taskDigest)
      throw new ReviewLoopError('run_conflict', `run ${runId} was started with another task`);
    const nonce = header?.nonce ?? definition.random.nonce();
    const run = new Run({ id: runId, nonce }, definition, journal);
    return await whileClaimed(definition.workspace, () =>
      perform(run, definition, task, options.signal, async () => {
        if (header === undefined)
          await journal.append({
            type: 'run',
            schema: 1,
            runId,
            pipeline: definition.name,
            taskDigest,
            task,
            nonce,
            at: definition.clock.now(),
          });
      }),
    );
  } finally {
    await journal.close();
  }
}

/**
 * Records an answer and goes on with the run.
 *
 * @throws ReviewLoopError `run_unknown`, `request_unknown`, `request_stale`, `request_expired`, `answer_not_allowed`, `answer_invalid`, `reason_required`, `run_busy`
 */
export async function answerRun<Task, Output>(
  definition: Definition<Task, Output>,
  reference: RequestReference,
  given: HumanAnswer,
  options: RunOptions = {},
): Promise<Outcome<Output>> {
  checkReference('request', reference);
  return continued(definition, reference.runId, options, async (journal) => {
    const now = definition.clock.now();
    const answer = checkedAnswer(journal, reference, { given, now });
    await recordInAudit(definition, journal, {
      kind: answer.kind === 'override' ? 'override' : 'answer',
      reference,
      answer,
    });
    await journal.append({
      type: 'answer',
      id: reference.id,
      digest: reference.digest,
      answer,
      at: now,
    });
  });
}

/**
 * Lets the version through that a run ended with, although nobody approved it: the run is gone through again from its
 * record, and ends accepted when it comes to that version. Only then the override is audited and recorded; what is not for
 * a person to let through, an approval as a failure, comes back as it is.
 *
 * @throws ReviewLoopError `run_unknown`, `reason_required`, `run_busy`, `override_stale` when the run ends with another version
 */
export async function overrideRun<Task, Output>(
  definition: Definition<Task, Output>,
  version: VersionReference,
  given: { readonly by: string; readonly reason: string },
  options: RunOptions = {},
): Promise<Outcome<Output>> {
  checkReference('version', version);
  const { runId, digest } = version;
  return continued(definition, runId, options, async (journal, run) => {
    const answer = checkedOverride(given);
    const record = async (): Promise<void> => {
      await recordInAudit(definition, journal, {
        kind: 'override',
        reference: { runId, digest },
        answer,
      });
      await journal.append({
        type: 'answer',
        id: overrideId(runId, digest),
        digest,
        answer,
        at: definition.clock.now(),
      });
    };
    run.override = { digest, record };
  });
}

/** Goes on with a recorded run after something was added to its record, or given to be added when it ends. */
async function continued<Task, Output>(
  definition: Definition<Task, Output>,
  runId: string,
  options: RunOptions,
  add: (journal: RunJournal, run: Run) => Promise<void>,
): Promise<Outcome<Output>> {
  checkRunOptions(options);
  const { store = definition.store } = options;
  if ((await store.read(runId)) === undefined)
    throw new ReviewLoopError('run_unknown', `the store holds no run ${runId}`);
  const journal = new RunJournal(await store.open(runId, true));
  try {
    const { header } = journal;
    if (header === undefined)
      throw new ReviewLoopError('run_unknown', `the store holds no run ${runId}`);
    return await whileClaimed(definition.workspace, async () => {
      const run = new Run({ id: runId, nonce: header.nonce }, definition, journal);
      await add(journal, run);
      const outcome = await perform(
        run,
        definition,
        checkedTask(definition, header.task as Task),
        options.signal,
      );
      if (run.override?.refused !== undefined) throw run.override.refused;
      return outcome;
    });
  } finally {
    await journal.close();
  }
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

function isRunId(runId: unknown): runId is string {
  return typeof runId === 'string' && /^[\w.:@-]{1,200}$/.test(runId);
}

/** An option that was ignored, as a misspelt `runId`, would make a run that cannot be continued. @throws ReviewLoopError `invalid_options` */
function checkRunOptions(options: RunOptions): void {
  checkKeys('run', options, ['runId', 'store', 'signal']);
  const { signal } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw invalid('signal', 'an AbortSignal', signal);
}

/** Runs the loop under the run's deadline and the caller's signal, and records how it ended. */
async function perform<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  task: Task,
  signal: AbortSignal | undefined,
  begin?: () => Promise<void>,
): Promise<Outcome<Output>> {
  const { clock, events, budget } = definition;
  const cancel = (): void =>
    run.end(
      new ReviewLoopError(
        'cancelled',
        `run ${run.id} was cancelled: ${messageOf(signal?.reason)}`,
        { cause: signal?.reason },
      ),
    );
  if (signal?.aborted) cancel();
  const ignore = onAbort(signal, cancel);
  const { timeoutMs } = budget;
  const stopClock =
    timeoutMs === undefined
      ? undefined
      : clock.after(timeoutMs, () =>
          run.end(
            new ReviewLoopError(
              'run_timed_out',
              `run ${run.id} was not done after ${timeoutMs} ms`,
            ),
          ),
        );
  try {
    const ending = await recorded(run, definition, async () => {
      await begin?.();
      events.emit('run-start', () => ({ runId: run.id, iteration: 1 }));
      await recallLessons(run, definition, task);
      return new Loop(run, definition, task).perform();
    });
    const outcome = outcomeOf(run, ending);
    events.emit('run-end', () => ({
      runId: run.id,
      iteration: run.iteration,
      status: ending.status,
      code: ending.code,
      reason: ending.reason,
    }));
    await captureLessons(definition, task, outcome);
    return outcome;
  } finally {
    stopClock?.();
    run.close();
    ignore();
  }
}

/** Records how a run ended. A journal that cannot be written makes it fail, and costs it nothing else. */
async function recorded<Output>(
  run: Run,
  { clock }: Pick<Definition<never, never>, 'clock'>,
  work: () => Promise<RunResult<Output>>,
): Promise<RunResult<Output>> {
  let ending: RunResult<Output> | undefined;
  try {
    ending = await work();
    await run.journal?.append({
      type: 'end',
      status: ending.status,
      code: ending.code,
      at: clock.now(),
    });
    return ending;
  } catch (error) {
    const known =
      error instanceof ReviewLoopError
        ? error
        : new ReviewLoopError('journal_write_failed', messageOf(error), { cause: error });
    return failedResult(run.ended ?? known, ending?.version);
  }
}

async function recallLessons<Task, Output>(
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
      'lessons could not be read; the run goes on without them',
    );
  }
}

async function captureLessons<Task, Output>(
  { name, learn, logger, clock, timeouts }: Definition<Task, Output>,
  task: Task,
  outcome: Outcome<Output>,
): Promise<void> {
  if (learn?.capture === undefined || outcome.status === 'suspended') return;
  try {
    await within(
      clock,
      timeouts.checkMs,
      'capturing lessons',
      learn.capture({ task, outcome, agentId: name }),
    );
  } catch (error) {
    logger.error(
      { run: outcome.runId, error: messageOf(error) },
      'capturing lessons failed; the outcome is not affected',
    );
  }
}
