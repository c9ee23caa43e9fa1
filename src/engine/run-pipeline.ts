import { messageOf, ReviewLoopError } from '../core/errors.js';
import { deepFrozen } from '../core/freeze.js';
import { copyJson, digestJson } from '../core/json.js';
import { checkKeys, checkPlain, invalid } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import { parseInput } from '../core/parse-input.js';
import { mayAsk } from '../core/policy.js';
import type { Around } from '../core/span.js';
import { elapsedOn } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import type { Definition } from './definition.js';
import { checkListener, type RunListeners } from './events.js';
import { inWorkspace } from './in-workspace.js';
import { Loop } from './loop.js';
import { Run } from './run.js';
import { failedResult, outcomeOf, type RunResult } from './run-result.js';
import { whileOpen } from './while-open.js';

/** Options of one call of `run`, `answer` or `override`. */
export interface RunOptions {
  /**
   * The id of the run to start or to continue; 1 to 200 letters, digits and . : @ _ -.
   *
   * @default a new id
   */
  readonly runId?: string | undefined;
  /** Stores the journal of this run. @default the store of the pipeline */
  readonly store?: Store | undefined;
  /** Aborting it ends the run as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Listeners for the events of this call alone. One that throws is logged.
   *
   * @default {}
   */
  readonly on?: RunListeners | undefined;
  /**
   * Called round each piece of work of this call, inside of the hook of the pipeline.
   *
   * @default undefined
   */
  readonly around?: Around | undefined;
}

/**
 * Starts a run, or continues the run recorded under its id.
 *
 * @throws ReviewLoopError `task_invalid`, `not_json`, `run_conflict`, `run_busy`, `workspace_busy`,
 *   `no_produce`, `invalid_options`; every other error becomes an outcome
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
  const kept = { runId, store, isKept: options.runId !== undefined, signal: options.signal };
  return whileOpen(definition, kept, async (journal, end) => {
    const taskDigest = digestJson(task);
    const { header } = journal;
    if (header !== undefined && header.taskDigest !== taskDigest)
      throw new ReviewLoopError('run_conflict', `run ${runId} was started with another task`);
    const nonce = header?.nonce ?? definition.random.nonce();
    const run = new Run({ id: runId, nonce, end, on: options.on }, definition, journal);
    await trace(run, definition, options.around);
    run.neverReplays = journal.forgetsSteps && !mayBeSuspended(definition);
    run.isPrivate =
      run.neverReplays &&
      run.tracer === undefined &&
      definition.learn === undefined &&
      !mayAsk(definition.ranking);
    return await inWorkspace(run, () =>
      perform(run, definition, task, async () => {
        if (header === undefined)
          await journal.append({
            type: 'run',
            schema: 1,
            runId,
            pipeline: definition.name,
            taskDigest,
            task,
            nonce,
            ...(run.tracer?.carried && { carried: run.tracer.carried }),
            at: definition.clock.now(),
          });
      }),
    );
  });
}

/** Returns whether a value may be a run id. */
export function isRunId(runId: unknown): runId is string {
  return typeof runId === 'string' && /^[\w.:@-]{1,200}$/.test(runId);
}

/**
 * Refuses unknown options: a misspelt `runId` would make a run that cannot be continued.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkRunOptions(options: RunOptions): void {
  checkKeys('run', options, ['runId', 'store', 'signal', 'on', 'around']);
  const { signal, on, around } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw invalid('signal', 'an AbortSignal', signal);
  if (around !== undefined && typeof around !== 'function')
    throw invalid('around', 'a function', around);
  if (on === undefined) return;
  checkPlain('on', on);
  for (const [name, listener] of Object.entries(on))
    if (listener !== undefined) checkListener(name, listener);
}

/** Returns whether a run may be suspended and its steps replayed later. */
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

/** Adds the tracer of a run, if there is a hook. */
export async function trace(
  run: Run,
  { around }: Pick<Definition<never, never>, 'around'>,
  own?: Around,
): Promise<void> {
  if (around === undefined && own === undefined) return;
  const { Tracer } = await import('./tracer.js');
  run.tracer = new Tracer(
    run,
    [around, own].filter((hook) => hook !== undefined),
  );
}

/** Runs the loop, and records the result. */
export function perform<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  task: Task,
  begin?: () => Promise<void>,
): Promise<Outcome<Output>> {
  const work = (): Promise<Outcome<Output>> => performed(run, definition, task, begin);
  return run.tracer === undefined ? work() : run.tracer.run(definition.name, work);
}

async function performed<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  task: Task,
  begin?: () => Promise<void>,
): Promise<Outcome<Output>> {
  const before = run.journal?.ended;
  const start = elapsedOn(definition.clock);
  try {
    const ending = await recorded(run, definition, async () => {
      await begin?.();
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

/** Loaded on first use: most runs have no lesson store. */
function loadLessons(): Promise<typeof import('./run-lessons.js')> {
  return import('./run-lessons.js');
}

/**
 * Records the result of a run. If the journal cannot be written, the run fails with its version.
 */
async function recorded<Output>(
  run: Run,
  { clock }: Pick<Definition<never, never>, 'clock'>,
  work: () => Promise<RunResult<Output>>,
): Promise<RunResult<Output>> {
  let ending: RunResult<Output> | undefined;
  try {
    ending = await work();
    const { status, code } = ending;
    const { unrecorded } = run.ledger;
    const usage = unrecorded.size > 0 && { usage: Object.fromEntries(unrecorded) };
    const waits = status === 'suspended' && { waits: ending.requests.map(({ id }) => id) };
    await run.journal?.append({ type: 'end', status, code, ...usage, ...waits, at: clock.now() });
    return ending;
  } catch (error) {
    const known =
      error instanceof ReviewLoopError
        ? error
        : new ReviewLoopError('journal_write_failed', messageOf(error), { cause: error });
    return failedResult(run.ended ?? known, ending?.version);
  }
}

/**
 * Returns a copy of the task, parsed by the pipeline's schema.
 *
 * @throws ReviewLoopError `not_json`, `task_invalid`
 */
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
