import type { Diff, DiffFile, DiffSource } from '../../../core/diff/diff-source.js';
import { fileText } from '../../../core/diff/diff-text.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { gitErrors } from '../../../node/git/errors.js';
import { gitDiff } from '../../../node/git/git-diff.js';
import { filteredFiles } from '../../../node/git/plain-index.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { ReviewTask } from '../../../products/task-review/task.js';
import { changeOf, type TaskChange } from '../../../products/task-review/task-change.js';
import {
  commitWork,
  git,
  isTaskCommit,
  lastCommit,
  pickCommits,
  uncommitted,
} from './task-folder.js';
import { foldCommits, type Names, refuseChangedHistory, type TaskStart } from './task-history.js';

export interface ReviewedWork extends TaskStart {
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

const mostNamed = 5;

function otherCommit(paths: readonly string[], { id }: ReviewTask): ReviewLoopError {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  const named = oneLine(paths.slice(0, mostNamed).join(', ')) || 'more than one commit';
  return new ReviewLoopError(
    gitErrors.git_failed,
    'git committed something else than was reviewed, so the commit was taken back: ' +
      `${named}${more}. A commit hook, a filter or a ` +
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
