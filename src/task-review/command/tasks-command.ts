import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { withProviderOptions } from '../../cli-kit/provider/provider-options.js';
import { userName } from '../../cli-kit/user-name.js';
import { loadConfig } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { executorIn } from '../config.js';
import { taskStatusLine } from '../task.js';
import { keptAttempts } from './kept-attempts.js';
import type { TaskSettings } from './kept-tasks.js';
import { readTasks, runTasks } from './run-tasks.js';
import { type RunFlags, taskSettings } from './task-settings.js';

const help = `
The list is Markdown: headings that begin with an id, below each a checklist and a line \`Depends on: ID\`. The command gets
the task on its standard input, and its id and attempt as REVIEWLOOP_TASK_ID and REVIEWLOOP_ATTEMPT. It executes code with
your rights. What goes through is committed; with --parallel each task has a git worktree of its own.

Exit codes: the worst of all tasks: 0 done, 50 not done, 51 a person declined, 52 timed out, 53 waits for an answer, 1 failed.

Examples:
  reviewloop tasks run --tasks tasks.md --all --exec 'claude -p' --test-command 'npm test' --provider cli:claude
  reviewloop tasks run --tasks tasks.md --task TASK-003 --exec ./do-task.sh --hitl-review
  reviewloop tasks status --tasks tasks.md`;

interface StatusFlags {
  readonly tasks: string;
  readonly store: string;
  readonly format: 'text' | 'json';
}

/** `reviewloop tasks`: does the tasks of a list and reviews each (seed 002). */
export function tasksCommand(io: Io, done: (code: number) => void): Command {
  return new Command('tasks')
    .summary('do the tasks of a list, and review each')
    .description(
      'Does tasks one after another or side by side; tests, lint, a review of the code and a person decide what is committed.',
    )
    .addCommand(runCommand(io, done))
    .addCommand(statusCommand(io))
    .addHelpText('after', help);
}

function runCommand(io: Io, done: (code: number) => void): Command {
  const command = new Command('run')
    .summary('do tasks')
    .description('Does the tasks that are not done yet, each after those that it depends on.')
    .requiredOption('--tasks <file>', 'the task list')
    .option('--all', 'every task')
    .option('--task <id>', 'this task (may be repeated)', (id: string, before: string[] = []) => [
      ...before,
      id,
    ])
    .option('--exec <command>', 'does a task (default: executor.exec of the configuration)')
    .option('--test-command <command>', 'tests the work')
    .option('--lint-command <command>', 'lints the work; what it changes is tested again')
    .option('--no-review', 'let nobody review the code')
    .addOption(
      new Option(
        '--review-policy <policy>',
        'whether a review that fails holds the work up (default: advisory)',
      ).choices(['advisory', 'required']),
    )
    .option('--roles <list>', 'reviewers: quality,implementation,testing,simplification,docs')
    .option('--hitl-review', 'ask a person after every review')
    .addOption(
      new Option(
        '--hitl-unattended <how>',
        'with --parallel, --tui or no terminal: let tasks wait for `reviewloop answer`, or ask nobody',
      )
        .choices(['suspend', 'ignore'])
        .default('suspend'),
    )
    .option('--attempts <n>', 'how often a task is done at most (default: 3)', whole('--attempts'))
    .option(
      '--parallel <n>',
      'how many tasks at a time, each in a git worktree of its own',
      whole('--parallel'),
      1,
    )
    .option('--tui', 'show the state of all tasks on the screen')
    .option('--no-commit', 'commit nothing')
    .option('--timeout <seconds>', 'how long one command may take', whole('--timeout'), 3600)
    .option(
      '--allow-env <name>',
      'a variable that commands may see (may be repeated)',
      (name: string, before: string[] = []) => [...before, name],
    )
    .option('--by <name>', 'who answers (default: the name of the user)')
    .option('-c, --config <file>', 'the configuration')
    .option('--no-config', 'look for no configuration')
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('-q, --quiet', 'tell no progress')
    .addOption(storeOption())
    .action(async (flags: RunFlags) => done(await run(io, flags)));
  return withProviderOptions(command, 'the model that reviews');
}

function statusCommand(io: Io): Command {
  return new Command('status')
    .summary('tell how tasks stand')
    .description('One line for each task: how its last attempt ended, and what the review said.')
    .requiredOption('--tasks <file>', 'the task list')
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption())
    .action(async ({ tasks, store, format }: StatusFlags) => {
      const attempts = keptAttempts(resolve(io.cwd, storeFolder(store)));
      const list = await readTasks(io.cwd, tasks);
      if (format === 'json')
        return io.out(
          `${terminalSafeJson({ schemaVersion: 1, tasks: await Promise.all(list.map(async ({ id, name }) => ({ id, name, attempts: await attempts.of(id) }))) })}\n`,
        );
      for (const task of list)
        await io.out(`${sanitise(taskStatusLine(task, await attempts.last(task.id)))}\n`);
    });
}

async function run(io: Io, flags: RunFlags): Promise<number> {
  const { all = false, task = [], parallel, tui = false, quiet = false, format } = flags;
  if (all === task.length > 0)
    throw new ReviewLoopError(nodeErrors.usage, 'name tasks with --task ID, or take --all');
  const loaded =
    flags.config === false
      ? undefined
      : await loadConfig(
          io.cwd,
          typeof flags.config === 'string' ? resolve(io.cwd, flags.config) : undefined,
        );
  const given = taskSettings(flags, executorIn(loaded?.config.executor));
  const settings = attended(io, flags, given);
  if (!settings.commit && (all || task.length > 1 || parallel > 1))
    throw new ReviewLoopError(
      nodeErrors.usage,
      '--no-commit is for one task: the work on several could not be told apart',
    );
  return runTasks(io, {
    tasks: flags.tasks,
    chosen: all ? 'all' : task,
    settings,
    parallel,
    tui,
    interactive: settings.hitl && parallel === 1 && !tui,
    by: flags.by ?? userName(),
    store: resolve(io.cwd, storeFolder(flags.store)),
    format,
    quiet,
  });
}

/** Where nobody can be asked, seed 002's warning, and what becomes of the question: it waits, unless it was said to be ignored. */
function attended(
  io: Io,
  { parallel, tui = false, hitlUnattended }: RunFlags,
  settings: TaskSettings,
): TaskSettings {
  if (!settings.hitl || (parallel === 1 && !tui && io.terminal !== undefined)) return settings;
  const ignore = hitlUnattended === 'ignore';
  const then = ignore ? '' : '; each task waits for `reviewloop answer`';
  if (parallel > 1)
    io.err(`--hitl-review ignored in parallel mode (interactive prompts not supported)${then}\n`);
  else if (tui) io.err(`--hitl-review ignored in TUI mode (TUI owns the screen)${then}\n`);
  else io.err(`--hitl-review has no terminal to ask at${then}\n`);
  return ignore ? { ...settings, hitl: false } : settings;
}

function whole(name: string): (text: string) => number {
  return (text) => {
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new ReviewLoopError(
        nodeErrors.usage,
        `${name} expects a whole number from 1, got ${JSON.stringify(text)}`,
        { value: text },
      );
    return Number(text);
  };
}
