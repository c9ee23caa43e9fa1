import { ReviewLoopError } from '../../core/errors.js';
import type { Diff, DiffFile } from '../../diff/diff-source.js';
import { gitErrors } from '../../git/errors.js';
import { filteredFiles } from '../../git/filtered-files.js';
import { gitDiff } from '../../git/git-diff.js';
import { oneLine } from '../../terminal/sanitise.js';
import type { ReviewTask } from '../task.js';
import { changeOf, type TaskChange } from '../task-change.js';
import { taskDiff } from './task-diff.js';
import { commitWork, git, lastCommit, pickCommits } from './task-folder.js';

/** Reviewed work, and where it is. */
export interface ReviewedWork {
  /** The folder of the repository. */
  readonly root: string;
  /** The folder of the work: `root`, or a worktree. */
  readonly folder: string;
  readonly task: ReviewTask;
  /** The change that was reviewed. */
  readonly change: TaskChange;
}

/**
 * Commits reviewed work, and nothing else. If the files changed since the review, nothing is
 * committed. If a commit hook or a filter changed what was committed, the commit is taken back.
 *
 * @throws ReviewLoopError `git_failed`, `git_locked`
 */
export async function commitReviewed({ root, folder, task, change }: ReviewedWork): Promise<void> {
  const reviewed = await taskDiff(folder).diff({ kind: 'working-tree', base: change.base });
  if (changeOf(reviewed).digest !== change.digest)
    throw new ReviewLoopError(
      gitErrors.git_failed,
      'the files changed after they were reviewed, so nothing was committed. ' +
        `Pass --task ${oneLine(task.id)} --anew to do the task again`,
      { value: folder },
    );
  const before = await lastCommit(folder);
  await commitWork(folder, task);
  const range = `${change.base}..HEAD`;
  const committed = await gitDiff({ cwd: folder }).diff({ kind: 'range', range });
  const unlike = await unlikeIn(folder, reviewed, committed);
  if (unlike.length > 0) {
    await takeBack(folder, before);
    throw otherCommit(unlike, task);
  }
  if (folder !== root) await pickReviewed({ root, folder, task }, committed);
}

async function pickReviewed(
  { root, folder, task }: Omit<ReviewedWork, 'change'>,
  reviewed: Diff,
): Promise<void> {
  const before = await lastCommit(root);
  await pickCommits(root, folder);
  const after = await lastCommit(root);
  if (after === before) return;
  const range = `${before}..${after}`;
  const picked = await gitDiff({ cwd: root }).diff({ kind: 'range', range });
  const unlike = different(reviewed.files, picked.files, linesOf);
  if (unlike.length === 0) return;
  await git(root, 'reset', '-q', '--keep', before);
  throw otherCommit(unlike, task);
}

/** Returns the paths whose commit differs from what was reviewed. */
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

/** Returns the paths of files that only one list has, or whose texts differ. */
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

/** Returns the changed lines: on another base, their numbers and neighbours may differ. */
function linesOf({ status, oldPath, newMode, binary, hunks }: DiffFile): string {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith(' ')));
  return JSON.stringify([status, oldPath, newMode, binary, lines]);
}

async function takeBack(folder: string, before: string): Promise<void> {
  if (before === '') await git(folder, 'update-ref', '-d', 'HEAD');
  else await git(folder, 'reset', '-q', '--soft', before);
}

/** How many files a message names. */
const mostNamed = 5;

function otherCommit(paths: readonly string[], { id }: ReviewTask): ReviewLoopError {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return new ReviewLoopError(
    gitErrors.git_failed,
    'git committed something else than was reviewed, so the commit was taken back: ' +
      `${oneLine(paths.slice(0, mostNamed).join(', '))}${more}. A commit hook, a filter or a ` +
      'setting of the repository changed it. Let it change files before the review, as ' +
      `--lint-command, or remove it; then pass --task ${oneLine(id)} --anew`,
    { value: paths },
  );
}
