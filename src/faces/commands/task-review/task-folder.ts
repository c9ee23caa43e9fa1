import { open, rm, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { shortList } from '../../../core/plural.js';
import { systemCode } from '../../../node/durable.js';
import { makeFolder } from '../../../node/files.js';
import { gitErrors } from '../../../node/git/errors.js';
import { gitDiff } from '../../../node/git/git-diff.js';
import { withLock } from '../../../node/lock.js';
import { type ProcessResult, runProcess } from '../../../node/process.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import { portErrors } from '../../../ports/errors.js';
import type { ReviewTask } from '../../../products/task-review/task.js';
import { quoted } from '../../cli-kit/show/listing.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { TaskRecord } from './task-record.js';

const gitTimeoutMs = 120_000;

const identity = [
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'SSH_AUTH_SOCK',
  'GNUPGHOME',
];

export async function git(cwd: string, ...args: string[]): Promise<string> {
  const result = await runProcess({
    command: 'git',
    args,
    cwd,
    timeoutMs: gitTimeoutMs,
    allowEnv: identity,
  });
  if (result.exitCode !== 0) throw await gitFault(cwd, args, result);
  return result.stdout.trim();
}

export async function repositoryOf(cwd: string): Promise<string> {
  try {
    return await git(cwd, 'rev-parse', '--show-toplevel');
  } catch (error) {
    throw new ReviewLoopError(gitErrors.not_a_repository, `${cwd} is not in a git repository`, {
      cause: error,
      value: cwd,
    });
  }
}

export async function uncommitted(cwd: string): Promise<string> {
  return git(
    cwd,
    'status',
    '--porcelain',
    '--untracked-files=all',
    '--',
    ':/',
    ':(exclude,top).reviewloop',
  );
}

export async function addFolder(
  root: string,
  { local }: Pick<StoreHandle, 'local'>,
  runId: string,
): Promise<string> {
  const folder = join(local(root), 'worktrees', runId);
  await git(root, 'worktree', 'add', '--detach', folder, 'HEAD');
  return folder;
}

export async function lastCommit(root: string): Promise<string> {
  return git(root, 'rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '');
}

export async function headOf(folder: string): Promise<string> {
  return git(folder, 'symbolic-ref', '--quiet', 'HEAD').catch(() => '');
}

/** On top of `base`. A hook of the repository may have added to its message. */
export async function isTaskCommit(
  { folder, base, task }: Pick<TaskRecord, 'folder' | 'base'> & { readonly task: ReviewTask },
  { added }: { readonly added: boolean },
): Promise<boolean> {
  const last = await git(folder, 'show', '--no-patch', '--format=%P|%B', 'HEAD').catch(() => '');
  const wanted = `${base}|${messageOf(task)}`;
  return last === wanted || (added && last.startsWith(`${wanted}\n`));
}

/** To continue a task would revert new commits of the branch. */
export async function hasMoved({
  root,
  folder,
  base,
  task,
}: Pick<TaskRecord, 'root' | 'folder' | 'base' | 'task'>): Promise<boolean> {
  const head = await lastCommit(root);
  if (folder !== root || base === undefined || head === base) return false;
  // an earlier process may have died right after it committed the task
  return !(await isTaskCommit({ folder, base, task }, { added: true }));
}

/** It is as the branch has it; '' if there is none. */
export async function commitOf({
  root,
  base = '',
  task,
}: Pick<TaskRecord, 'root' | 'base' | 'task'>): Promise<string> {
  const range = base === '' ? 'HEAD' : `${base}..HEAD`;
  const wanted = ['--fixed-strings', `--grep=${messageOf(task)}`];
  return git(root, 'log', '-1', '--format=%h', ...wanted, range).catch(() => '');
}

export function messageOf(task: ReviewTask): string {
  return `${oneLine(task.id)}: ${oneLine(task.name)}`.slice(0, 200).trim();
}

/** A commit hook may change it. */
export async function commitWork(folder: string, task: ReviewTask): Promise<void> {
  if ((await uncommitted(folder)) === '') return;
  // git has no way to add everything except an ignored folder, so the folder is unstaged again
  await git(folder, 'add', '-A', '--', ':/');
  await git(folder, 'reset', '-q', '--', ':(top).reviewloop');
  await git(folder, 'commit', '-q', '-m', messageOf(task));
}

export async function commitTask(root: string, folder: string, task: ReviewTask): Promise<void> {
  await commitWork(folder, task);
  await pickCommits(root, folder);
}

export async function pickCommits(root: string, folder: string): Promise<void> {
  if (folder === root) return;
  // a process that died here may have already picked the commits
  const missing = (await git(root, 'cherry', 'HEAD', await git(folder, 'rev-parse', 'HEAD')))
    .split('\n')
    .flatMap((line) => (line.startsWith('+ ') ? [line.slice(2)] : []));
  if (missing.length === 0) return;
  try {
    await git(root, 'cherry-pick', ...missing);
  } catch (error) {
    await git(root, 'cherry-pick', '--abort').catch(() => {});
    throw error;
  }
}

export async function removeFolder(root: string, folder: string): Promise<void> {
  if (folder !== root) await git(root, 'worktree', 'remove', '--force', folder).catch(() => {});
}

/** Only one process works in a folder at a time; a second one changes nothing. */
export async function claimFolder<Value>(
  folder: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const busy = (): ReviewLoopError =>
    new ReviewLoopError(
      portErrors.workspace_busy,
      `another reviewloop command is working in ${folder}, and this one has changed nothing`,
      { value: folder },
    );
  const lock = join(await git(folder, 'rev-parse', '--absolute-git-dir'), 'reviewloop');
  return withLock(lock, { clock: systemClock, waitMs: 0, busy }, work);
}

/** Finds a lock in a message of git, in any language and any quotes. */
const lockNamed = /['"„“»«]([^'"„“”»«\n]+\.lock)['"“”»«]/;

/** It explains a lock of another git process, but never removes it. */
export async function gitFault(
  cwd: string,
  args: readonly string[],
  { exitCode, signal, stdout, stderr }: ProcessResult,
): Promise<ReviewLoopError> {
  const said = stderr.trim() || stdout.trim();
  const lock = await lockIn(cwd, said);
  if (lock === undefined)
    return new ReviewLoopError(
      gitErrors.git_failed,
      `git ${args[0]} ended with ${exitCode ?? signal} in ${cwd}: ${said.slice(-400)}`,
      { value: args },
    );
  const { path, since } = lock;
  return new ReviewLoopError(
    gitErrors.git_locked,
    `git ${args[0]} found the repository locked by ${path} since ${since}: another ` +
      'git is running, or was killed and left the lock. `pgrep -a git` shows running ' +
      `ones; if it shows none, run \`rm ${quoted(path)}\` and the same command again`,
    { value: path },
  );
}

async function lockIn(
  cwd: string,
  said: string,
): Promise<{ readonly path: string; readonly since: string } | undefined> {
  const [, name] = lockNamed.exec(said) ?? [];
  if (name === undefined) return undefined;
  const path = resolve(cwd, name);
  return stat(path).then(
    ({ mtime }) => ({ path, since: mtime.toISOString() }),
    () => undefined,
  );
}

/**
 * `git apply` takes the patch back. The folder is then as at its last commit.
 *
 * @returns The path of the patch; `undefined` if the folder has no changes.
 */
export async function setAside(
  { root, folder, task, runId }: Pick<TaskRecord, 'root' | 'folder' | 'task' | 'runId'>,
  store: StoreHandle,
): Promise<string | undefined> {
  if ((await uncommitted(folder)) === '') return undefined;
  const patch = await newPatch(store.local(root), `${task.id}-${runId.slice(-8)}`);
  await stage(folder, store);
  await git(folder, 'diff', '--cached', ...wholeDiff, `--output=${patch}`);
  if ((await stat(patch)).size === 0) {
    await git(folder, 'reset', '-q');
    await rm(patch);
    throw new ReviewLoopError(
      gitErrors.git_failed,
      `git shows no difference for the changes of ${folder}, so they stay where they are`,
      { value: folder },
    );
  }
  await git(folder, 'reset', '-q', '--hard');
  return patch;
}

/** The diff does not depend on the configuration of the user. */
const wholeDiff = [
  '--binary',
  '--full-index',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Stages every change except those of the store. */
async function stage(folder: string, store: StoreHandle): Promise<void> {
  await git(folder, 'add', '-A', '--', ':/');
  const own = [store.folder, store.file]
    .filter((path) => path !== undefined)
    .map((path) => relative(folder, path).replaceAll('\\', '/'))
    .filter((path) => path !== '' && !path.startsWith('..'));
  const excluded = ['.reviewloop', ...own].flatMap((path) => [`:(top)${path}`, `:(top)${path}-*`]);
  await git(folder, 'reset', '-q', '--', ...excluded);
}

/** Only its owner can read it. */
async function newPatch(store: string, name: string): Promise<string> {
  const folder = join(store, 'set-aside');
  await makeFolder(folder);
  const safe = name.replaceAll(/[^\w.-]/g, '_').slice(-100);
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${safe}${number === 1 ? '' : `-${number}`}.patch`);
    try {
      await (await open(path, 'wx', 0o600)).close();
      return path;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

const mostNamed = 5;

/**
 * Git overlooks them by `assume-unchanged` or `skip-worktree`. Reviewers see them, and no commit
 * would contain them.
 */
export async function refuseOverlooked(folder: string): Promise<void> {
  const flagged = (await git(folder, 'ls-files', '--cached', '-v', '-z', '--', ':/'))
    .split('\0')
    .flatMap((entry) => (/^[a-zS] /.test(entry) ? [entry.slice(2)] : []));
  if (flagged.length === 0) return;
  const known = new Set(flagged);
  const { files } = await gitDiff({ cwd: folder }).diff({ kind: 'working-tree' });
  const changed = files.map(({ path }) => path).filter((path) => known.has(path));
  if (changed.length === 0) return;
  const named = oneLine(shortList(changed, mostNamed));
  throw new ReviewLoopError(
    gitErrors.git_failed,
    `git was told to overlook the changes of ${named}: no commit would contain ` +
      'them. Run `git update-index --no-assume-unchanged --no-skip-worktree FILE` for each, ' +
      'then commit or revert it',
    { value: changed },
  );
}
