import { resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { nodeErrors } from '../../../node/errors.js';
import { readText } from '../../../node/files.js';
import { sanitise, terminalSafeJson } from '../../../node/terminal/sanitise.js';
import { type ConfiguredExecutor, executorIn } from '../../../products/task-review/config.js';
import { taskErrors } from '../../../products/task-review/errors.js';
import {
  type ParsedTask,
  parseTasks,
  sortTasks,
} from '../../../products/task-review/parse-tasks.js';
import { taskStatusLine } from '../../../products/task-review/task.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { argvOf, type SettingsOf } from '../../cli-kit/flags/flag.js';
import { merged, type Sources } from '../../cli-kit/flags/merged.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { checkReports, reportRuns } from '../../cli-kit/reports/report-flag.js';
import { userName } from '../../cli-kit/require-person.js';
import { commandLine } from '../../cli-kit/show/listing.js';
import { learns } from '../../config/config-parts.js';
import { honestWorkIn } from '../../config/load-allowed-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import { runTasksFlags, type taskStatusFlags } from './task-flags.js';
import { claimFolder, repositoryOf } from './task-folder.js';
import { type TaskSettings, TaskSettingsSchema, type TasksRun } from './task-record.js';
import { taskJson, taskReports, worstOf } from './task-report.js';
import { TaskWorker } from './task-worker.js';

/**
 * Each task runs after its dependencies.
 *
 * @returns The exit code: the worst of all tasks.
 */
async function runTasks(io: Io, run: TasksRun): Promise<number> {
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

type RunSettings = SettingsOf<typeof runTasksFlags>;

export async function startTasks({ io, store }: StoredCall, given: RunSettings): Promise<number> {
  const { all, task, parallel, anew, tui, quiet, format } = given;
  if (all === task.length > 0) throw usageError('pass either --task ID or --all');
  await checkReports(given.report, io.cwd);
  const loaded = await loadConfig(io.cwd, given.config);
  const { config } = loaded;
  const settings = attended(
    io,
    given,
    taskSettings(given, executorIn(config.executor), {
      learn: learns(config.learn),
      honestWork: honestWorkIn(io.cwd, loaded),
    }),
  );
  if (!settings.commit && (all || task.length > 1 || parallel > 1))
    throw usageError('--no-commit takes one task: the changes of several tasks would mix');
  return runTasks(io, {
    tasks: given.tasks,
    chosen: all ? 'all' : task,
    settings,
    parallel,
    anew,
    again: (id) =>
      commandLine(
        'tasks run',
        argvOf(runTasksFlags, { ...given, all: false, task: [id], anew: false }),
      ),
    tui,
    interactive: settings.hitlReview && parallel === 1 && !tui,
    by: given.by ?? userName(),
    store,
    report: given.report,
    format,
    quiet,
  });
}

const executorSources = {
  exec: {
    flag: 'exec',
    member: 'exec',
    missing: 'no command does the tasks: pass --exec COMMAND, or set executor.exec',
  },
  testCommand: { flag: 'testCommand', member: 'testCommand' },
  lintCommand: { flag: 'lintCommand', member: 'lintCommand' },
  reviewPolicy: { flag: 'reviewPolicy', member: 'reviewPolicy', usual: 'advisory' },
  hitlReview: { flag: 'hitlReview', member: 'hitlReview', usual: false },
  budgetTokens: { flag: 'budgetTokens', member: 'budgetTokens' },
  budgetUsd: { flag: 'budgetUsd', member: 'budgetUsd' },
  attempts: { flag: 'attempts', member: 'maxAttempts', usual: 3 },
  roles: {
    flag: 'roles',
    member: 'reviewRoles',
    read: (list) => list.split(',').map((role) => role.trim()),
  },
} as const satisfies Sources<RunSettings, ConfiguredExecutor>;

function taskSettings(
  given: RunSettings,
  executor: ConfiguredExecutor,
  more: Pick<TaskSettings, 'learn' | 'honestWork'>,
): TaskSettings {
  const parsed = TaskSettingsSchema.safeParse({
    ...given,
    ...merged(executorSources, { ...given, exec: given.exec?.trim() }, executor),
    template: executor.reviewTemplate,
    diffBytes: executor.diffBytes,
    allowUnseen: executor.allowUnseen,
    ...more,
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ReviewLoopError(nodeErrors.usage, `invalid options: ${problems.join('; ')}`, {
    cause: parsed.error,
  });
}

/** If no terminal can ask a person, the task waits, unless --hitl-unattended skips the question. */
function attended(
  io: Io,
  { parallel, tui, hitlUnattended }: RunSettings,
  settings: TaskSettings,
): TaskSettings {
  if (!settings.hitlReview || (parallel === 1 && !tui && io.terminal !== undefined))
    return settings;
  const ignore = hitlUnattended === 'ignore';
  const then = ignore ? '' : ': no prompt appears, and each task waits for `reviewloop answer`';
  if (parallel > 1)
    io.err(`--hitl-review ignored in parallel mode (interactive prompts not supported)${then}\n`);
  else if (tui) io.err(`--hitl-review ignored in TUI mode (TUI owns the screen)${then}\n`);
  else io.err(`--hitl-review has no terminal to ask at${then}\n`);
  return ignore ? { ...settings, hitlReview: false } : settings;
}

const largest = 10_000_000;

export async function readTasks(cwd: string, file: string): Promise<ParsedTask[]> {
  return parseTasks(await readText(resolve(cwd, file), { shown: file, maxBytes: largest }));
}

export async function showTaskStatus(
  { io, store: { attempts } }: StoredCall,
  { tasks: file, format }: SettingsOf<typeof taskStatusFlags>,
): Promise<number> {
  const list = await readTasks(io.cwd, file);
  const tasks = await Promise.all(
    list.map(async ({ id, name }) => ({ id, name, attempts: await attempts.of(id) })),
  );
  const lines = tasks.map(({ id, attempts: all }) => sanitise(taskStatusLine({ id }, all.at(-1))));
  return tell(io, format, { data: { tasks }, lines });
}
