import { isAbsolute, join, relative } from 'node:path';
import { folderWorkspace } from '../../../adapters/stores/workspace/folder-workspace.js';
import { command } from '../../../blocks/reviewers/command/command.js';
import { decorate } from '../../../core/decorate-reviewer.js';
import type { Diff, DiffFile, DiffSource } from '../../../core/diff/diff-source.js';
import { fileText } from '../../../core/diff/diff-text.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { shortList } from '../../../core/plural.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { nodeErrors } from '../../../node/errors.js';
import { fileState } from '../../../node/files.js';
import { gitErrors } from '../../../node/git/errors.js';
import { gitDiff } from '../../../node/git/git-diff.js';
import { filteredFiles } from '../../../node/git/plain-index.js';
import { programOf, runProcess } from '../../../node/process.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { portErrors } from '../../../ports/errors.js';
import type { ReviewTask, TaskWork } from '../../../products/task-review/task.js';
import { changeOf, type TaskChange } from '../../../products/task-review/task-change.js';
import type { TaskCheck } from '../../../products/task-review/task-checks.js';
import { TaskReview } from '../../../products/task-review/task-review.js';
import type { TaskReviewOptions } from '../../../products/task-review/task-review-options.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import {
  commitWork,
  git,
  isTaskCommit,
  lastCommit,
  pickCommits,
  refuseOverlooked,
  uncommitted,
} from './task-folder.js';
import {
  foldCommits,
  type Names,
  namesIn,
  refuseChangedHistory,
  type TaskStart,
} from './task-history.js';
import type { TaskRecord, TaskSettings } from './task-record.js';

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

interface ReviewedWork extends TaskStart {
  readonly change: TaskChange;
  readonly names?: Names | undefined;
}

/**
 * Commits reviewed work as one commit, and nothing else. If the files or the history changed since
 * the review, nothing is committed. If a commit hook or a filter changed what was committed, or
 * committed more, the commit is taken back.
 */
export async function commitReviewed({ change, names, ...start }: ReviewedWork): Promise<void> {
  const { root, folder, task } = start;
  const isThere = await isCommitted(start);
  await (isThere ? refuseChangedHistory(start, names) : foldCommits(start, names));
  const reviewed = await taskDiff(folder).diff({ kind: 'working-tree', base: change.base });
  if (changeOf(reviewed).digest !== change.digest) {
    await foldCommits(start, names);
    throw new ReviewLoopError(
      gitErrors.git_failed,
      'the files changed after they were reviewed, so nothing was committed. ' +
        `Pass --task ${oneLine(task.id)} --anew to do the task again`,
      { value: folder },
    );
  }
  const before = start.base ?? (await lastCommit(folder));
  await commitWork(folder, task);
  const range = `${change.base}..HEAD`;
  const committed = await gitDiff({ cwd: folder }).diff({ kind: 'range', range });
  await refuseChangedHistory(start, names);
  const unlike = await unlikeIn(folder, reviewed, committed);
  if (unlike.length > 0 || !(await isOneCommit(folder, before))) {
    await takeBack(folder, before);
    throw otherCommit(unlike, task);
  }
  if (folder !== root) await pickReviewed(start, committed);
}

/**
 * A process may have died right after the commit. Like any other, it is compared with what was
 * reviewed.
 */
async function isCommitted(start: TaskStart): Promise<boolean> {
  return (await isTaskCommit(start, { added: false })) && (await uncommitted(start.folder)) === '';
}

async function isOneCommit(folder: string, before: string): Promise<boolean> {
  if ((await lastCommit(folder)) === before) return true;
  return (await git(folder, 'show', '--no-patch', '--format=%P', 'HEAD')) === before;
}

async function pickReviewed({ root, folder, task }: TaskStart, reviewed: Diff): Promise<void> {
  const before = await lastCommit(root);
  await pickCommits(root, folder);
  const range = `${before}..HEAD`;
  const picked = await gitDiff({ cwd: root }).diff({ kind: 'range', range });
  const unlike = different(reviewed.files, picked.files, linesOf);
  if ((await lastCommit(root)) === before) return;
  if (unlike.length === 0 && (await isOneCommit(root, before))) return;
  await git(root, 'reset', '-q', '--keep', before);
  throw otherCommit(unlike, task);
}

async function unlikeIn(folder: string, reviewed: Diff, committed: Diff): Promise<string[]> {
  const unlike = different(reviewed.files.filter(isInCommit), committed.files, textOf);
  if (unlike.length === 0) return [];
  // of files under filters, such as those of git-lfs, git commits other bytes than those on the disk
  const changesFilters = reviewed.files.some(({ path }) => /(^|\/)\.gitattributes$/.test(path));
  const filtered = changesFilters ? new Set() : await filteredFiles({ cwd: folder, timeoutMs });
  return unlike.filter((path) => !filtered.has(Buffer.from(path).toString('latin1')));
}

const timeoutMs = 120_000;

/** A commit contains no changes inside of a submodule. */
function isInCommit({ submodule, header }: DiffFile): boolean {
  return !(submodule && header === '');
}

/** Paths of files that only one list has, or whose texts differ. */
function different(
  left: readonly DiffFile[],
  right: readonly DiffFile[],
  read: (file: DiffFile) => string,
): string[] {
  const texts = (files: readonly DiffFile[]): ReadonlyMap<string, string> =>
    new Map(files.map((file) => [file.path, read(file)]));
  const [before, after] = [texts(left), texts(right)];
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

function textOf({ status, oldPath, oldMode, newMode, header, hunks }: DiffFile): string {
  return JSON.stringify([status, oldPath, oldMode, newMode, header, hunks]);
}

/** Only the changed ones count: on another base, their numbers and neighbours may differ. */
function linesOf({ status, oldPath, newMode, binary, header, hunks }: DiffFile): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith(' ')));
  const whole = binary && /^index .*\.\.([0-9a-f]{7})/m.exec(header)?.[1];
  return JSON.stringify([status, oldPath, newMode, whole, lines]);
}

async function takeBack(folder: string, before: string): Promise<void> {
  if (before === '') await git(folder, 'update-ref', '-d', 'HEAD');
  else await git(folder, 'reset', '-q', '--soft', before);
}

function otherCommit(paths: readonly string[], { id }: ReviewTask): ReviewLoopError {
  const named = oneLine(shortList(paths)) || 'more than one commit';
  return new ReviewLoopError(
    gitErrors.git_failed,
    'git committed something else than was reviewed, so the commit was taken back: ' +
      `${named}. A commit hook, a filter or a ` +
      'setting of the repository changed it. Let it change files before the review, as ' +
      `--lint-command, or remove it; then pass --task ${oneLine(id)} --anew`,
    { value: paths },
  );
}

/**
 * What this package stores in `.reviewloop` does not belong to the task, even if git does not
 * ignore it.
 */
export function taskDiff(cwd: string): DiffSource {
  const source = gitDiff({ cwd });
  return { ...source, diff: async (...asked) => withoutStore(await source.diff(...asked)) };
}

function withoutStore(diff: Diff): Diff {
  const files = diff.files.filter(({ path }) => !path.startsWith('.reviewloop/'));
  if (files.length === diff.files.length) return diff;
  return { ...diff, files, text: files.map(fileText).join('') };
}
