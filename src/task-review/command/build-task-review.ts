import { join, relative } from 'node:path';
import { databaseOf, keptRuns } from '../../cli-kit/kept-runs.js';
import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { gitDiff } from '../../git/index.js';
import { nodeErrors } from '../../node/errors.js';
import { runProcess } from '../../node/process.js';
import { command } from '../../reviewers/command/command.js';
import { folderWorkspace } from '../../stores/file/index.js';
import type { ReviewTask } from '../task.js';
import { TaskReview } from '../task-review.js';
import { keptAttempts } from './kept-attempts.js';
import type { KeptTask, TaskSettings } from './kept-tasks.js';
import { commitTask } from './task-folder.js';

/** Where a task is reviewed. */
export interface TaskPlace {
  readonly store: string;
  readonly provider: LLMProvider | undefined;
  /** Lets one commit at a time reach the branch. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** The review of a task of the command line; the same in the process that starts it and in one that answers. */
export function buildTaskReview(
  { root, folder, settings }: KeptTask,
  { store, provider, inTurn }: TaskPlace,
): TaskReview {
  const { tests, lint, reviewPolicy, hitl, attempts, roles, template, timeoutMs, allowEnv } =
    settings;
  const kept = keptRuns(store);
  const limits = { cwd: folder, timeoutMs, allowEnv };
  return new TaskReview({
    diff: gitDiff({ cwd: folder }),
    execute: (task, { attempt, previousError, signal }) =>
      execute(task, { folder, settings, attempt, previousError, signal }),
    ...(tests !== undefined && { tests: command({ id: 'tests', run: tests, ...limits }) }),
    ...(lint !== undefined && { lint: command({ id: 'lint', run: lint, ...limits }) }),
    review:
      settings.review && provider !== undefined
        ? { provider, ...(roles && { roles }), ...(template !== undefined && { template }) }
        : false,
    reviewPolicy,
    hitlReview: hitl,
    maxAttempts: attempts,
    ...(settings.commit && {
      commit: (task: ReviewTask) => inTurn(() => commitTask(root, folder, task)),
    }),
    executeTimeoutMs: timeoutMs,
    attempts: keptAttempts(store),
    store: kept.store,
    workspace: folderWorkspace(folder, statesOf(root, folder, store)),
    audit: kept.audit,
  });
}

/** Where the states of a folder are kept, and what is not part of them: a database that lies in it changes all the time. */
function statesOf(
  root: string,
  folder: string,
  store: string,
): { readonly store: string; readonly ignore: readonly string[] } {
  const database = databaseOf(store);
  const home = database === undefined ? store : join(root, '.reviewloop');
  const inside = database === undefined ? '..' : relative(folder, database).replaceAll('\\', '/');
  return {
    store: join(home, 'workspaces', hashText(folder).slice(0, 16)),
    ignore: ['node_modules', ...(inside.startsWith('..') ? [] : [`${inside}*`, `${inside}*/**`])],
  };
}

interface Execution {
  readonly folder: string;
  readonly settings: TaskSettings;
  readonly attempt: number;
  readonly previousError: string | undefined;
  readonly signal: AbortSignal;
}

/** Runs the command that does the task: it gets the task on its standard input, and nothing of it becomes part of the line. */
async function execute(
  task: ReviewTask,
  { folder, settings, attempt, previousError, signal }: Execution,
): Promise<void> {
  const shell =
    process.platform === 'win32'
      ? { command: 'cmd.exe', flags: ['/d', '/s', '/c'] }
      : { command: '/bin/sh', flags: ['-c'] };
  const env = {
    REVIEWLOOP_TASK_ID: task.id,
    REVIEWLOOP_TASK_NAME: task.name,
    REVIEWLOOP_ATTEMPT: String(attempt),
    ...(previousError !== undefined && { REVIEWLOOP_PREVIOUS_ERROR: previousError }),
  };
  const result = await runProcess({
    command: shell.command,
    args: [...shell.flags, settings.exec],
    cwd: folder,
    input: taskText(task, previousError),
    env,
    allowEnv: settings.allowEnv,
    timeoutMs: settings.timeoutMs,
    signal,
  });
  if (result.exitCode !== 0)
    throw new ReviewLoopError(
      nodeErrors.process_failed,
      `the command ended with exit code ${result.exitCode ?? result.signal}: ${(result.stderr.trim() || result.stdout.trim()).slice(-500)}`,
    );
}

function taskText(
  { id, name, description = '', checklist = [] }: ReviewTask,
  previousError: string | undefined,
): string {
  const items = checklist.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`).join('\n');
  const again = previousError === undefined ? '' : `## Previous error\n\n${previousError}`;
  return `${[`# ${id}: ${name}`, description, items, again].filter((part) => part !== '').join('\n\n')}\n`;
}
