import { isAbsolute, join, relative } from 'node:path';
import { folderWorkspace } from '../../../adapters/stores/workspace/folder-workspace.js';
import { command } from '../../../blocks/reviewers/command/command.js';
import { decorate } from '../../../core/decorate-reviewer.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { nodeErrors } from '../../../node/errors.js';
import { fileState } from '../../../node/files.js';
import { programOf, runProcess } from '../../../node/process.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { portErrors } from '../../../ports/errors.js';
import type { ReviewTask, TaskWork } from '../../../products/task-review/task.js';
import type { TaskCheck } from '../../../products/task-review/task-checks.js';
import { TaskReview } from '../../../products/task-review/task-review.js';
import type { TaskReviewOptions } from '../../../products/task-review/task-review-options.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { commitReviewed, taskDiff } from './commit-reviewed.js';
import { foldCommits, type Names, namesIn } from './task-history.js';
import type { TaskRecord, TaskSettings } from './task-record.js';
import { refuseOverlooked } from './uncommitted-files.js';

export interface TaskPlace {
  readonly store: StoreHandle;
  readonly provider: LLMProvider | undefined;
  /** What the run may spend. @default the limits of the settings */
  readonly budget?: TaskReviewOptions['budget'];
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

const longestReviewMs = 900_000;

/** A process that answers builds the same review. */
export async function buildTaskReview(
  record: TaskRecord,
  { store, provider, inTurn, budget }: TaskPlace,
): Promise<TaskReview> {
  const { root, folder, settings } = record;
  const { testCommand, lintCommand, roles, template, diffBytes, allowUnseen, allowEnv } = settings;
  let names: Names | undefined;
  const timeoutMs = settings.timeout * 1000;
  const limits = { cwd: folder, timeoutMs, allowEnv };
  return new TaskReview({
    diff: taskDiff(folder),
    execute: async (task, { attempt, previousError, signal }) => {
      names ??= await namesIn(folder);
      try {
        await execute(task, { folder, settings, attempt, previousError, signal });
      } finally {
        await inTurn(() => foldCommits(record, names));
      }
    },
    ...(testCommand !== undefined && {
      tests: undisturbed(folder, command({ id: 'tests', run: testCommand, ...limits })),
    }),
    ...(lintCommand !== undefined && {
      lint: command({ id: 'lint', run: lintCommand, ...limits }),
    }),
    review:
      settings.review && provider !== undefined
        ? {
            provider,
            timeoutMs: Math.min(timeoutMs, longestReviewMs),
            ...(roles && { roles }),
            ...(template !== undefined && { template }),
            ...(diffBytes !== undefined && { diffBytes }),
            ...(allowUnseen !== undefined && { allowUnseen }),
          }
        : false,
    honestWork: settings.honestWork,
    reviewPolicy: settings.reviewPolicy,
    hitlReview: settings.hitlReview,
    maxAttempts: settings.attempts,
    budget: budget ?? { tokens: settings.budgetTokens, costUsd: settings.budgetUsd },
    ...(settings.commit && {
      commit: (task: ReviewTask, { change }: TaskWork) =>
        inTurn(async () => {
          await refuseOverlooked(folder);
          await commitReviewed({ ...record, task, change, names });
        }),
    }),
    executeTimeoutMs: timeoutMs,
    attempts: store.attempts,
    store: store.runs,
    workspace: folderWorkspace(folder, snapshotsOf(root, folder, store)),
    audit: store.audit,
    ...(settings.learn && { learn: await store.lessons() }),
  });
}

/** They exclude a store inside the folder, which changes all the time. */
function snapshotsOf(
  root: string,
  folder: string,
  store: StoreHandle,
): { readonly store: string; readonly ignore: readonly string[] } {
  const own = store.file ?? store.folder;
  const inside = own === undefined ? '..' : relative(folder, own).replaceAll('\\', '/');
  const isInside = !inside.startsWith('..') && !isAbsolute(inside) && inside !== '.reviewloop';
  const home = isInside || store.file !== undefined ? join(root, '.reviewloop') : store.local(root);
  return {
    store: join(home, 'workspaces', hashText(folder).slice(0, 16)),
    ignore: ['node_modules', ...(isInside ? [`${inside}*`, `${inside}*/**`] : [])],
  };
}

interface Execution {
  readonly folder: string;
  readonly settings: TaskSettings;
  readonly attempt: number;
  readonly previousError: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The command reads the task from its standard input. No part of the task becomes part of the
 * command.
 */
async function execute(
  task: ReviewTask,
  { folder, settings, attempt, previousError, signal }: Execution,
): Promise<void> {
  const env = {
    REVIEWLOOP_TASK_ID: task.id,
    REVIEWLOOP_TASK_NAME: task.name,
    REVIEWLOOP_ATTEMPT: String(attempt),
    ...(previousError !== undefined && { REVIEWLOOP_PREVIOUS_ERROR: shownError(previousError) }),
  };
  const result = await runProcess({
    ...programOf(settings.exec),
    cwd: folder,
    input: taskText(task, previousError && shownError(previousError)),
    env,
    allowEnv: settings.allowEnv,
    timeoutMs: settings.timeout * 1000,
    signal,
  });
  if (result.exitCode !== 0)
    throw new ReviewLoopError(
      nodeErrors.process_failed,
      `the command ended with exit code ${result.exitCode ?? result.signal}: ` +
        `${(result.stderr.trim() || result.stdout.trim()).slice(-500)}`,
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

/** The text is of a model or a command: drops secrets and what controls a terminal. */
function shownError(text: string): string {
  return redactSecrets(sanitise(text));
}

/**
 * Makes the result of a command count only if nobody wrote to the changed files while it ran, not
 * even to bring the old content back. The command needs the folder itself, with all that is
 * installed in it, so it gets no copy.
 */
function undisturbed(folder: string, check: TaskCheck): TaskCheck {
  return decorate(check, {
    tag: undefined,
    reply: async ({ reviewer, subject, answer }) => {
      const { files } = subject.output.change;
      const states = async (): Promise<string[]> => {
        const now = await Promise.all(files.map(({ path }) => fileState(join(folder, path))));
        return files.map(({ path }, index) => `${path}\0${now[index]}`);
      };
      const before = new Set(await states());
      const given = await answer();
      const written = (await states()).filter((state) => !before.has(state));
      if (written.length === 0) return given;
      const names = written.map((state) => state.split('\0', 1)[0]).slice(0, 5);
      const error = new ReviewLoopError(
        portErrors.workspace_failed,
        `${oneLine(names.join(', '))} changed while ${reviewer.id} ran, so its result does not count`,
        { value: names },
      );
      return [{ verdict: 'errored', criterion: reviewer.id, error }];
    },
  });
}
