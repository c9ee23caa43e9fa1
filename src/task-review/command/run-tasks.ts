import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { prepareRuns } from '../../cli-kit/run-stores.js';
import { ReviewLoopError } from '../../core/errors.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { taskErrors } from '../errors.js';
import { type ParsedTask, sortTasks } from '../parse-tasks.js';
import { readTasks } from './read-tasks.js';
import { repositoryOf } from './task-folder.js';
import { taskJson, worstOf } from './task-report.js';
import { type TasksRun, TaskWorker } from './task-worker.js';

/**
 * Does the tasks of a list, each after its dependencies.
 *
 * @returns The exit code: the worst of all tasks.
 */
export async function runTasks(io: Io, run: TasksRun): Promise<number> {
  const { settings, quiet, format } = run;
  const tasks = sortTasks(chosenOf(await readTasks(io.cwd, run.tasks), run.chosen));
  const root = await repositoryOf(io.cwd);
  await prepareRuns(run.store);
  const provider = await chooseProvider(io, providerChoice(settings), quiet);
  if (settings.review && provider === undefined && !quiet)
    io.err('no --provider: the code is not reviewed, only tests and lint decide\n');
  const ends = await new TaskWorker(io, run, { root, provider }).all(tasks);
  const exitCode = worstOf(ends.map((end) => end.exitCode));
  if (format === 'json') {
    const data = ends.map(({ lines: _, result, ...end }) => ({
      ...end,
      ...(result && taskJson(result)),
    }));
    await io.out(`${terminalSafeJson({ schemaVersion: 1, exitCode, tasks: data })}\n`);
  } else for (const { lines } of ends) await io.out(`${lines.map(sanitise).join('\n')}\n`);
  return exitCode;
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
