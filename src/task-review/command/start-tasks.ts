import { argvOf } from '../../cli-kit/flags/argv-of.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { merged, type Sources } from '../../cli-kit/flags/merged.js';
import type { Io } from '../../cli-kit/io.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { quoted } from '../../cli-kit/show/quoted.js';
import { userName } from '../../cli-kit/user-name.js';
import { learns } from '../../config/config-parts.js';
import { honestWorkIn } from '../../config/load-allowed-secrets.js';
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
  const { all, task, parallel, anew, tui, quiet, format } = given;
  if (all === task.length > 0)
    throw new ReviewLoopError(nodeErrors.usage, 'pass either --task ID or --all');
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

/** Merges flags and configuration. @throws ReviewLoopError `usage` */
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
