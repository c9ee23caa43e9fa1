import { resolve } from 'node:path';
import { argvOf } from '../../cli-kit/flags/argv-of.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { quoted } from '../../cli-kit/show/quoted.js';
import { userName } from '../../cli-kit/user-name.js';
import { learns } from '../../config/learning-config.js';
import { loadConfig } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { type ConfiguredExecutor, executorIn } from '../config.js';
import { runTasks } from './run-tasks.js';
import { runTasksFlags } from './task-flags.js';
import { type TaskSettings, TaskSettingsSchema } from './task-record.js';

type RunSettings = SettingsOf<typeof runTasksFlags>;

/** Runs the tasks that the flags and the configuration describe, and returns the exit code. */
export async function startTasks({ io, store }: StoredCall, given: RunSettings): Promise<number> {
  const { all, task, parallel, anew, tui, quiet, format, config } = given;
  if (all === task.length > 0)
    throw new ReviewLoopError(nodeErrors.usage, 'pass either --task ID or --all');
  await checkReports(given.report, io.cwd);
  const loaded =
    config === false
      ? undefined
      : await loadConfig(io.cwd, config === undefined ? undefined : resolve(io.cwd, config));
  const settings = attended(
    io,
    given,
    taskSettings(given, executorIn(loaded?.config.executor), learns(loaded?.config.learn)),
  );
  if (!settings.commit && (all || task.length > 1 || parallel > 1))
    throw new ReviewLoopError(
      nodeErrors.usage,
      '--no-commit takes one task: the changes of several tasks would mix',
    );
  return runTasks(io, {
    tasks: given.tasks,
    chosen: all ? 'all' : task,
    settings,
    parallel,
    anew,
    again: (id) =>
      ['reviewloop', 'tasks', 'run']
        .concat(
          argvOf(runTasksFlags, { ...given, all: false, task: [id], anew: false }).map(quoted),
        )
        .join(' '),
    tui,
    interactive: settings.hitlReview && parallel === 1 && !tui,
    by: given.by ?? userName(),
    store,
    report: given.report,
    format,
    quiet,
  });
}

/** Returns the command that does the tasks. @throws ReviewLoopError `usage` */
function commandOf(given: RunSettings, executor: ConfiguredExecutor): string {
  const exec = given.exec ?? executor.exec;
  if (exec !== undefined && exec.trim() !== '') return exec;
  throw new ReviewLoopError(
    nodeErrors.usage,
    'no command does the tasks: pass --exec COMMAND, or set executor.exec',
  );
}

/** Merges flags and configuration. Flags take precedence. @throws ReviewLoopError `usage` */
function taskSettings(
  given: RunSettings,
  executor: ConfiguredExecutor,
  learn: boolean,
): TaskSettings {
  const exec = commandOf(given, executor);
  const parsed = TaskSettingsSchema.safeParse({
    ...given,
    exec,
    testCommand: given.testCommand ?? executor.testCommand,
    lintCommand: given.lintCommand ?? executor.lintCommand,
    reviewPolicy: given.reviewPolicy ?? executor.reviewPolicy ?? 'advisory',
    hitlReview: given.hitlReview || (executor.hitlReview ?? false),
    budgetTokens: given.budgetTokens ?? executor.budgetTokens,
    budgetUsd: given.budgetUsd ?? executor.budgetUsd,
    attempts: given.attempts ?? executor.maxAttempts ?? 3,
    roles: given.roles?.split(',').map((role) => role.trim()) ?? executor.reviewRoles,
    template: executor.reviewTemplate,
    diffBytes: executor.diffBytes,
    allowUnseen: executor.allowUnseen,
    learn,
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ReviewLoopError(nodeErrors.usage, `invalid options: ${problems.join('; ')}`, {
    cause: parsed.error,
  });
}

/**
 * Warns if no terminal can ask a person. The task then waits, unless --hitl-unattended skips the
 * question.
 */
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
