import type { Io } from '../../cli-kit/io.js';
import { storeWords } from '../../cli-kit/store-folder.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { mutex } from '../../core/mutex.js';
import { nodeErrors } from '../../node/errors.js';
import { terminalPerson } from '../../people/terminal-person.js';
import { systemRandom } from '../../ports/random.js';
import { sanitise } from '../../terminal/sanitise.js';
import type { TaskAttempt } from '../attempt-store.js';
import type { ParsedTask } from '../parse-tasks.js';
import { taskStatusLine } from '../task.js';
import { isPermanentTaskError, type TaskErrorCode } from '../task-error-code.js';
import type { TaskResult } from '../task-result.js';
import { buildTaskReview, type TaskPlace } from './build-task-review.js';
import { addFolder, hasMoved, lastCommit, removeFolder, uncommitted } from './task-folder.js';
import {
  attemptsIn,
  readTask,
  saveTask,
  type TaskRecord,
  type TaskSettings,
} from './task-record.js';
import { taskExitCode, taskLines } from './task-report.js';

/** A call of `reviewloop tasks run`. */
export interface TasksRun {
  readonly tasks: string;
  /** The ids of the tasks, or all tasks. */
  readonly chosen: readonly string[] | 'all';
  readonly settings: TaskSettings;
  readonly parallel: number;
  readonly tui: boolean;
  /** Whether this process may ask a person. */
  readonly interactive: boolean;
  readonly by: string;
  readonly store: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
}

/**
 * The end of a task in this call. Without a result, the task was not started, or was done before.
 */
export interface TaskEnd {
  readonly id: string;
  readonly result?: TaskResult | undefined;
  readonly done: boolean;
  readonly exitCode: number;
  readonly lines: readonly string[];
}

/**
 * Returns whether the run of an attempt can continue: it waits, was cancelled, or could not be
 * committed.
 */
function isUnfinished({ status, errorCode }: TaskAttempt): boolean {
  return status === 'waiting' || errorCode === 'CANCELLED' || errorCode === 'COMMIT_FAILED';
}

/**
 * Does the tasks of one call, at most `parallel` at a time. Each task starts after its dependencies
 * have ended.
 */
export class TaskWorker {
  readonly #io: Io;
  readonly #run: TasksRun;
  readonly #root: string;
  readonly #place: TaskPlace;
  readonly #ends = new Map<string, TaskEnd>();
  /** The task whose uncommitted work is in the repository folder. */
  #uncommitted: string | undefined;

  constructor(
    io: Io,
    run: TasksRun,
    { root, provider }: { readonly root: string; readonly provider: LLMProvider | undefined },
  ) {
    this.#io = io;
    this.#run = run;
    this.#root = root;
    this.#place = { store: run.store, provider, inTurn: mutex() };
  }

  /** Does every task. */
  async all(tasks: readonly ParsedTask[]): Promise<TaskEnd[]> {
    const left = [...tasks];
    const open = new Map<string, Promise<void>>();
    while (left.length > 0 || open.size > 0) {
      const ready = left.findIndex(({ dependsOn }) =>
        dependsOn.every((id) => !open.has(id) && !left.some((task) => task.id === id)),
      );
      if (ready !== -1 && open.size < this.#run.parallel) {
        const [task] = left.splice(ready, 1);
        if (task !== undefined)
          open.set(
            task.id,
            this.#one(task)
              .then((end) => this.#ended(end, tasks))
              .finally(() => void open.delete(task.id)),
          );
      } else await Promise.race(open.values());
    }
    return tasks.flatMap(({ id }) => this.#ends.get(id) ?? []);
  }

  #ended(end: TaskEnd, tasks: readonly ParsedTask[]): void {
    this.#ends.set(end.id, end);
    const { quiet, tui } = this.#run;
    if (tui && this.#io.errColumns !== undefined) {
      const rows = tasks.map(({ id }) => this.#ends.get(id)?.lines[0] ?? `${id}: pending`);
      this.#io.err(`\u001b[2J\u001b[H${rows.map(sanitise).join('\n')}\n`);
    } else if (!quiet) this.#io.err(`${sanitise(end.lines[0] ?? end.id)}\n`);
  }

  async #one(task: ParsedTask): Promise<TaskEnd> {
    try {
      return (await this.#settled(task)) ?? (await this.#perform(task));
    } catch (error) {
      if (this.#io.signal.aborted)
        return { id: task.id, done: false, exitCode: 130, lines: [`${task.id}: cancelled`] };
      return {
        id: task.id,
        done: false,
        exitCode: 1,
        lines: [`${task.id}: failed`, `  ${messageOf(error)}`],
      };
    }
  }

  /**
   * Returns the end of a task that cannot start. It is done, was rejected, or waits for another
   * task, or the folder is in use.
   */
  async #settled(task: ParsedTask): Promise<TaskEnd | undefined> {
    const attempts = attemptsIn(this.#run.store);
    const last = await attempts.last(task.id);
    const line = taskStatusLine(task, last);
    if (last?.status === 'success') return { id: task.id, done: true, exitCode: 0, lines: [line] };
    if (
      isPermanentTaskError(last?.errorCode as TaskErrorCode | undefined) &&
      this.#run.chosen === 'all'
    )
      return {
        id: task.id,
        done: false,
        exitCode: 51,
        lines: [line, `  rejected by a person; pass --task ${task.id} to do it again`],
      };
    const not = (why: string): TaskEnd => ({
      id: task.id,
      done: false,
      exitCode: 50,
      lines: [`${task.id}: not run`, `  ${why}`],
    });
    for (const id of task.dependsOn)
      if (!(this.#ends.get(id)?.done ?? (await attempts.last(id))?.status === 'success'))
        return not(`it depends on ${id}, which is not done`);
    return this.#uncommitted === undefined || this.#run.parallel > 1
      ? undefined
      : not(`the folder contains the work on ${this.#uncommitted}`);
  }

  async #perform(task: ParsedTask): Promise<TaskEnd> {
    const { store, interactive, by, settings } = this.#run;
    const record = await this.#begin(task);
    const review = buildTaskReview(record, this.#place);
    let result = await review.run(record.task, { runId: record.runId, signal: this.#io.signal });
    const { terminal } = this.#io;
    if (result.status === 'waiting' && interactive && terminal !== undefined)
      result = await review.ask(
        record.task,
        result,
        terminalPerson({ by, mode: 'line', input: terminal.input, output: terminal.output }),
        { signal: this.#io.signal },
      );
    if (!result.success || !settings.commit) this.#uncommitted = task.id;
    if (result.success) await removeFolder(record.root, record.folder);
    return {
      id: task.id,
      result,
      done: result.success,
      exitCode: taskExitCode(result),
      lines: taskLines(task.id, result, storeWords(this.#io.cwd, store)),
    };
  }

  /** Returns the unfinished run of a task, or a new one in a clean folder. */
  async #begin({ line: _, ...task }: ParsedTask): Promise<TaskRecord> {
    const { store, settings, parallel } = this.#run;
    const earlier = await readTask(store, task.id);
    const last = (await attemptsIn(store).of(task.id)).findLast(
      ({ runId }) => runId === earlier?.runId,
    );
    if (earlier !== undefined && (last === undefined || isUnfinished(last))) {
      if (!(await hasMoved(earlier))) return earlier;
      if (this.#run.chosen === 'all')
        throw new ReviewLoopError(
          nodeErrors.usage,
          `the branch has new commits since the work on ${task.id} began; continuing would ` +
            `revert them: pass --task ${task.id} to start it again`,
        );
    }
    const runId = systemRandom.id();
    const folder =
      parallel > 1
        ? await this.#place.inTurn(() => addFolder(this.#root, store, runId))
        : this.#root;
    if (parallel === 1 && (await uncommitted(this.#root)) !== '')
      throw new ReviewLoopError(
        nodeErrors.usage,
        `the folder has uncommitted changes; commit them first, so that they do not mix with the work on ${task.id}`,
        { value: this.#root },
      );
    const record: TaskRecord = {
      schemaVersion: 2,
      runId,
      root: this.#root,
      folder,
      base: await lastCommit(folder),
      task,
      settings,
    };
    await saveTask(store, record);
    return record;
  }
}
