import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { storeFlag } from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { prepareRuns } from '../../cli-kit/kept-runs.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { mutex } from '../../core/mutex.js';
import { nodeErrors } from '../../node/errors.js';
import { terminalPerson } from '../../people/terminal-person.js';
import { systemRandom } from '../../ports/random.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import type { TaskAttempt } from '../attempt-store.js';
import { taskErrors } from '../errors.js';
import { type ParsedTask, parseTasks, sortTasks } from '../parse-tasks.js';
import { taskStatusLine } from '../task.js';
import { isPermanentTaskError, type TaskErrorCode } from '../task-error-code.js';
import type { TaskResult } from '../task-result.js';
import { buildTaskReview, type TaskPlace } from './build-task-review.js';
import { taskExitCode, taskLines, toldTask, worstOf } from './finish-task.js';
import { keptAttempts } from './kept-attempts.js';
import { type KeptTask, keepTask, keptTask, type TaskSettings } from './kept-tasks.js';
import {
  addFolder,
  hasMoved,
  lastCommit,
  removeFolder,
  repositoryOf,
  uncommitted,
} from './task-folder.js';

/** What `reviewloop tasks run` is told. */
export interface TasksRun {
  readonly tasks: string;
  /** Ids, or every task. */
  readonly chosen: readonly string[] | 'all';
  readonly settings: TaskSettings;
  readonly parallel: number;
  readonly tui: boolean;
  /** Whether a person may be asked here. */
  readonly interactive: boolean;
  readonly by: string;
  readonly store: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
}

/** How a task of this call ended; without a result it was not begun, or is done already. */
export interface TaskEnd {
  readonly id: string;
  readonly result?: TaskResult | undefined;
  readonly done: boolean;
  readonly exitCode: number;
  readonly lines: readonly string[];
}

/** A task list. @throws ReviewLoopError `file_unreadable`, `tasks_invalid`, `task_unknown`, `task_cycle` */
export async function readTasks(cwd: string, file: string): Promise<ParsedTask[]> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${file} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: file,
      },
    );
  }
  return parseTasks(text);
}

/**
 * Does the tasks of a list, each after those that it depends on.
 *
 * @returns The exit code: the worst of all tasks.
 */
export async function runTasks(io: Io, run: TasksRun): Promise<number> {
  const tasks = sortTasks(chosenOf(await readTasks(io.cwd, run.tasks), run.chosen));
  const root = await repositoryOf(io.cwd);
  await prepareRuns(run.store);
  const provider = await chooseProvider(io, run.settings.provider, run.quiet);
  if (run.settings.review && provider === undefined && !run.quiet)
    io.err('no --provider: nobody reviews the code, tests and lint alone decide\n');
  const worker = new TaskWorker(io, run, { root, provider });
  const ends = await worker.all(tasks);
  const exitCode = worstOf(ends.map((end) => end.exitCode));
  if (run.format === 'json')
    await io.out(
      `${terminalSafeJson({ schemaVersion: 1, exitCode, tasks: ends.map(({ lines: _, result, ...end }) => ({ ...end, ...(result && toldTask(result)) })) })}\n`,
    );
  else for (const { lines } of ends) await io.out(`${lines.map(sanitise).join('\n')}\n`);
  return exitCode;
}

/** Whether the run of an attempt has not come to its end: it waits, was left, or was let through and could not be committed. */
function goesOn({ status, errorCode }: TaskAttempt): boolean {
  return status === 'waiting' || errorCode === 'CANCELLED' || errorCode === 'COMMIT_FAILED';
}

function chosenOf(tasks: readonly ParsedTask[], chosen: TasksRun['chosen']): ParsedTask[] {
  if (chosen === 'all') return [...tasks];
  const unknown = chosen.find((id) => !tasks.some((task) => task.id === id));
  if (unknown !== undefined)
    throw new ReviewLoopError(
      taskErrors.task_unknown,
      `the list has no task ${unknown}; it has ${tasks.map(({ id }) => id).join(', ')}`,
      { value: unknown },
    );
  return tasks.filter(({ id }) => chosen.includes(id));
}

class TaskWorker {
  readonly #io: Io;
  readonly #run: TasksRun;
  readonly #root: string;
  readonly #place: TaskPlace;
  readonly #ends = new Map<string, TaskEnd>();
  /** The task whose work lies uncommitted in the one folder. */
  #held: string | undefined;

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

  /** Every task: at most so many at a time, each once all that it depends on has ended. */
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

  /** The end of a task that is not begun: it is done, rejected for good, needs another one, or the folder is not free. */
  async #settled(task: ParsedTask): Promise<TaskEnd | undefined> {
    const attempts = keptAttempts(this.#run.store);
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
        lines: [line, `  rejected by a person; name it with --task ${task.id} to do it again`],
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
    return this.#held === undefined || this.#run.parallel > 1
      ? undefined
      : not(`the folder holds the work on ${this.#held}`);
  }

  async #perform(task: ParsedTask): Promise<TaskEnd> {
    const { store, interactive, by, settings } = this.#run;
    const kept = await this.#begin(task);
    const review = buildTaskReview(kept, this.#place);
    let result = await review.run(kept.task, { runId: kept.runId, signal: this.#io.signal });
    const { terminal } = this.#io;
    if (result.status === 'waiting' && interactive && terminal !== undefined)
      result = await review.ask(
        kept.task,
        result,
        terminalPerson({ by, mode: 'line', input: terminal.input, output: terminal.output }),
        { signal: this.#io.signal },
      );
    if (!result.success || !settings.commit) this.#held = task.id;
    if (result.success) await removeFolder(kept.root, kept.folder);
    return {
      id: task.id,
      result,
      done: result.success,
      exitCode: taskExitCode(result),
      lines: taskLines(task.id, result, storeFlag(this.#io.cwd, store)),
    };
  }

  /** The run to go on with, where the newest one has not ended; else a new one in a folder that is clean. */
  async #begin({ line: _, ...task }: ParsedTask): Promise<KeptTask> {
    const { store, settings, parallel } = this.#run;
    const earlier = await keptTask(store, task.id);
    const last = (await keptAttempts(store).of(task.id)).findLast(
      ({ runId }) => runId === earlier?.runId,
    );
    if (earlier !== undefined && (last === undefined || goesOn(last))) {
      if (!(await hasMoved(earlier))) return earlier;
      if (this.#run.chosen === 'all')
        throw new ReviewLoopError(
          nodeErrors.usage,
          `the branch has other commits since the work on ${task.id} was begun, which it would take back; name it with --task ${task.id} to begin it anew`,
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
        `the folder has changes that are not committed; commit them, so that the work on ${task.id} can be told from them`,
        { value: this.#root },
      );
    const kept: KeptTask = {
      schemaVersion: 1,
      runId,
      root: this.#root,
      folder,
      base: await lastCommit(folder),
      task,
      settings,
    };
    await keepTask(store, kept);
    return kept;
  }
}
