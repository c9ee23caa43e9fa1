import { messageOf, ReviewLoopError } from '../core/errors.js';
import { copyJson, deepFrozen, digestJson } from '../core/json.js';
import { parseInput } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import { mayAsk } from '../core/policy.js';
import { elapsedOn } from '../ports/clock.js';
import { checkRunId } from '../ports/run-id.js';
import type { Definition } from './definition.js';
import { Loop } from './loop.js';
import { isReleased, whileOpen } from './open-journal.js';
import { noProduce } from './produce.js';
import { Run } from './run.js';
import { checkRunOptions, type RunOptions } from './run-options.js';
import { failedResult, outcomeOf, type RunResult } from './run-result.js';

/** Continues the run if one is recorded under its id. */
export async function startRun<Task, Output>(
  definition: Definition<Task, Output>,
  givenTask: Task,
  given?: RunOptions,
): Promise<Outcome<Output>> {
  const options = given ?? {};
  if (given !== undefined) checkRunOptions(given);
  if (definition.produce === undefined) throw noProduce(definition);
  const { runId = definition.random.id(), store = definition.store } = options;
  checkRunId(runId);
  const task = checkedTask(definition, givenTask);
  const { signal, release } = options;
  const kept = { runId, store, isKept: options.runId !== undefined, signal, release };
  return whileOpen(definition, kept, async (journal, end) => {
    const taskDigest = digestJson(task);
    const { header } = journal;
    if (header !== undefined && header.taskDigest !== taskDigest)
      throw new ReviewLoopError('run_conflict', `run ${runId} was started with another task`);
    const nonce = header?.nonce ?? definition.random.nonce();
    const run = new Run({ id: runId, nonce, end, on: options.on }, definition, journal);
    if (definition.around !== undefined || options.around !== undefined)
      await (await import('./trace-run.js')).trace(run, definition, options.around);
    run.neverReplays = journal.forgetsSteps && !mayBeSuspended(definition);
    run.isPrivate =
      run.neverReplays &&
      run.tracer === undefined &&
      definition.learn === undefined &&
      !mayAsk(definition.ranking);
    const parts = kept.isKept
      ? (await import('./pipeline-change.js')).partsOf(definition)
      : undefined;
    const begin = (): Promise<void> | void =>
      journal.append({
        type: 'run',
        schema: 1,
        runId,
        pipeline: definition.name,
        taskDigest,
        task,
        nonce,
        ...(run.tracer?.carried && { carried: run.tracer.carried }),
        ...(parts && { parts }),
        at: definition.clock.now(),
      });
    return inWorkspace(run, () =>
      perform(run, definition, task, header === undefined ? begin : undefined),
    );
  });
}

function mayBeSuspended<Task, Output>({
  produce,
  address,
  human,
  policy,
  reviewers,
  workspace,
}: Definition<Task, Output>): boolean {
  return (
    // a function that declares no context cannot ask
    Number(produce?.length) > 1 ||
    Number(address?.length) > 2 ||
    human !== undefined ||
    workspace !== undefined ||
    mayAsk(policy) ||
    reviewers.some(({ review }) => mayAsk(review))
  );
}

export function perform<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  task: Task,
  begin?: () => Promise<void> | void,
): Promise<Outcome<Output>> {
  const work = (): Promise<Outcome<Output>> => performed(run, definition, task, begin);
  return run.tracer === undefined ? work() : run.tracer.run(definition.name, work);
}

async function performed<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  task: Task,
  begin?: () => Promise<void> | void,
): Promise<Outcome<Output>> {
  const before = run.journal?.ended;
  const start = elapsedOn(definition.clock);
  try {
    const ending = await recorded(run, definition, async () => {
      const begun = begin?.();
      if (begun !== undefined) await begun;
      const asks = run.journal?.resumed && (await changeOf(run, definition));
      if (asks) return asks;
      run.emit('run-start', () => ({ iteration: 1 }));
      if (definition.learn !== undefined)
        await (await loadLessons()).recallLessons(run, definition, task);
      return new Loop(run, definition, task).perform();
    });
    run.countRest();
    const outcome = outcomeOf(run, ending);
    if (!run.isPrivate) deepFrozen(outcome);
    if (before?.status !== ending.status || before.code !== ending.code) run.replaying = false;
    run.emit('run-end', () => ({
      status: ending.status,
      code: ending.code,
      reason: ending.reason,
      usage: outcome.usage,
      durationMs: elapsedOn(definition.clock) - start,
    }));
    if (run.interrupt !== undefined) throw run.interrupt;
    if (definition.learn !== undefined)
      await (await loadLessons()).captureLessons(run, definition, task, outcome);
    return outcome;
  } finally {
    run.close();
  }
}

/** Loaded on first use: few runs are continued. */
async function changeOf<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
): Promise<RunResult<Output> | undefined> {
  return (await import('./pipeline-change.js')).withChange(run, definition);
}

/** Loaded on first use: most runs have no lesson store. */
function loadLessons(): Promise<typeof import('./run-lessons.js')> {
  return import('./run-lessons.js');
}

/** If the journal cannot be written, the run fails with its version. */
async function recorded<Output>(
  run: Run,
  { clock }: Pick<Definition<never, never>, 'clock'>,
  work: () => Promise<RunResult<Output>>,
): Promise<RunResult<Output>> {
  let ending: RunResult<Output> | undefined;
  try {
    ending = await work();
    const { status, code } = ending;
    const { unwritten } = run.ledger;
    const usage = unwritten.length > 0 && { usage: Object.fromEntries(unwritten) };
    const waits = status === 'suspended' && { waits: ending.requests.map(({ id }) => id) };
    if (ending.error && ending.error === run.ended && isReleased(ending.error))
      await (await import('./end-of-error.js')).letGo(run, clock, ending.error);
    else {
      const at = clock.now();
      const written = run.journal?.append({ type: 'end', status, code, ...usage, ...waits, at });
      if (written !== undefined) await written;
    }
    return ending;
  } catch (error) {
    const known =
      error instanceof ReviewLoopError
        ? error
        : new ReviewLoopError('journal_write_failed', messageOf(error), { cause: error });
    return failedResult(run.ended ?? known, ending?.version);
  }
}

export function checkedTask<Task>(
  { taskSchema }: Pick<Definition<Task, never>, 'taskSchema'>,
  given: Task,
): Task {
  const task = copyJson(given === undefined ? (null as Task) : given, { freeze: true });
  if (taskSchema === undefined) return task;
  return copyJson(parseInput(taskSchema, task, { error: 'task_invalid', what: 'task' }), {
    freeze: true,
  });
}

export function inWorkspace<Value>(run: Run, work: () => Promise<Value>): Promise<Value> {
  const { workspace } = run.ports;
  return workspace === undefined
    ? work()
    : import('./workspace-claim.js').then((claim) => claim.whileClaimed(run, workspace, work));
}
