import { join } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { gitErrors } from '../../git/errors.js';
import { runProcess } from '../../node/process.js';
import { oneLine } from '../../terminal/sanitise.js';
import type { ReviewTask } from '../task.js';
import { gitFault } from './git-fault.js';
import type { KeptTask } from './kept-tasks.js';

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

/** One git command in a folder. @throws ReviewLoopError `git_failed`, `git_locked` */
async function git(cwd: string, ...args: string[]): Promise<string> {
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

/** The top folder of the repository. @throws ReviewLoopError `not_a_repository` */
export async function repositoryOf(cwd: string): Promise<string> {
  try {
    return await git(cwd, 'rev-parse', '--show-toplevel');
  } catch (error) {
    throw new ReviewLoopError(
      gitErrors.not_a_repository,
      `${cwd} is no folder of a git repository`,
      {
        cause: error,
        value: cwd,
      },
    );
  }
}

/** What has changed in a folder and is not committed. */
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

/** A folder of its own for a task, at the last commit. */
export async function addFolder(root: string, store: string, runId: string): Promise<string> {
  const folder = join(store, 'worktrees', runId);
  await git(root, 'worktree', 'add', '--detach', folder, 'HEAD');
  return folder;
}

/** The last commit; empty before the first. */
export async function lastCommit(root: string): Promise<string> {
  return git(root, 'rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '');
}

/** Whether the branch has other commits than when a task was begun in the one folder: going on with it would take their files back. */
export async function hasMoved({
  root,
  folder,
  base,
  task,
}: Pick<KeptTask, 'root' | 'folder' | 'base' | 'task'>): Promise<boolean> {
  const head = await lastCommit(root);
  if (folder !== root || base === undefined || head === base) return false;
  // a process that died right after it had committed the task
  const [parent = '', subject] = (
    await git(root, 'show', '--no-patch', '--format=%P%n%s', 'HEAD')
  ).split('\n');
  return parent !== base || subject !== messageOf(task);
}

function messageOf(task: ReviewTask): string {
  return `${oneLine(task.id)}: ${oneLine(task.name)}`.slice(0, 200).trim();
}

/** Commits what a task came to; from a folder of its own, onto the branch of the repository, and the folder is gone afterwards. */
export async function commitTask(root: string, folder: string, task: ReviewTask): Promise<void> {
  if ((await uncommitted(folder)) !== '') {
    // git refuses to add all but a folder that it ignores; so what is kept there is taken out again
    await git(folder, 'add', '-A', '--', ':/');
    await git(folder, 'reset', '-q', '--', ':(top).reviewloop');
    await git(folder, 'commit', '-q', '-m', messageOf(task));
  }
  if (folder === root) return;
  // what a process that died afterwards has brought there already is not brought there again
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

/** Removes the folder of a task that is done. */
export async function removeFolder(root: string, folder: string): Promise<void> {
  if (folder !== root) await git(root, 'worktree', 'remove', '--force', folder).catch(() => {});
}
