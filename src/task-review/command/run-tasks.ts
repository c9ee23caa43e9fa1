import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';
import { taskErrors } from '../errors.js';
import { type ParsedTask, sortTasks } from '../parse-tasks.js';
import { claimFolder } from './claim-folder.js';
import { taskReports } from './ended-task-reports.js';
import { readTasks } from './read-tasks.js';
import { repositoryOf } from './task-folder.js';
import type { TaskSettings } from './task-record.js';
import { taskJson, worstOf } from './task-report.js';
import { TaskWorker } from './task-worker.js';
import type { TasksRun } from './tasks-run.js';

/**
 * Does the tasks of a list, each after its dependencies.
 *
 * @returns The exit code: the worst of all tasks.
 */
export async function runTasks(io: Io, run: TasksRun): Promise<number> {
  const { settings, quiet, format } = run;
  const tasks = sortTasks(chosenOf(await readTasks(io.cwd, run.tasks), run.chosen));
  const provider = await chooseProvider(io, providerChoice(settings), quiet);
  requireReview(settings, provider);
  const root = await repositoryOf(io.cwd);
  if (settings.review && provider === undefined && !quiet)
    io.err('no --provider: the code is not reviewed, only tests and lint decide\n');
  const ends = await claimFolder(root, async () => {
    await run.store.prepare();
    return new TaskWorker(io, run, { root, provider, tasks }).all(tasks);
  });
  const exitCode = worstOf(ends.map((end) => end.exitCode));
  if (format === 'json') {
    const data = ends.map(({ lines: _, result, ...end }) => ({
      ...end,
      ...(result && taskJson(result)),
    }));
    await io.out(`${terminalSafeJson({ schemaVersion: 1, exitCode, tasks: data })}\n`);
  }
  const reports = await taskReports(ends);
  await reportRuns(io, run.report, { reports, store: run.store, cwd: io.cwd, from: root });
  return exitCode;
}

/** @throws ReviewLoopError `invalid_options` if a review is required and nobody can review */
function requireReview(
  { review, reviewPolicy, hitlReview }: TaskSettings,
  provider: LLMProvider | undefined,
): void {
  if (reviewPolicy !== 'required' || hitlReview || (review && provider !== undefined)) return;
  throw new ReviewLoopError(
    'invalid_options',
    `--review-policy required needs a review: pass --provider${review ? '' : ' without --no-review'}` +
      ', or --hitl-review',
    { value: reviewPolicy },
  );
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
