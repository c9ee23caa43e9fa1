import { ReviewLoopError } from '../../../core/errors.js';
import { gitErrors } from '../../../node/git/errors.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { ReviewTask } from '../../../products/task-review/task.js';
import { git, headOf, lastCommit } from './task-folder.js';
import type { TaskRecord } from './task-record.js';

export type TaskStart = Pick<TaskRecord, 'root' | 'folder' | 'base' | 'branch'> & {
  readonly task: ReviewTask;
};

/** Branches, tags, replaced objects, stashed changes. */
export type Names = ReadonlyMap<string, string>;

interface HistoryState {
  readonly names: Names;
  /** The branch of the folder; '' for a detached HEAD. */
  readonly branch: string;
  /** The last commit; '' before the first. */
  readonly commit: string;
}

const kindsOfNames = ['refs/heads', 'refs/tags', 'refs/replace', 'refs/stash'];

const mostNamed = 3;

export async function namesIn(folder: string): Promise<Names> {
  return (await stateOf(folder)).names;
}

async function stateOf(folder: string): Promise<HistoryState> {
  const format = '--format=%(HEAD)%(objectname) %(refname)';
  const lines = (await git(folder, 'for-each-ref', format, ...kindsOfNames))
    .split('\n')
    .map((line) => /^([* ]?)([0-9a-f]+) (.+)$/.exec(line))
    .filter((parts) => parts !== null);
  const names = new Map(lines.map(([, , commit = '', name = '']) => [name, commit]));
  // the name stands for the last stash only
  if (names.has('refs/stash')) {
    const all = await git(folder, 'stash', 'list', '--format=%H');
    names.set('refs/stash', all.replaceAll('\n', ' '));
  }
  const [, , commit, branch] = lines.find(([, mark]) => mark === '*') ?? [];
  if (commit !== undefined && branch !== undefined) return { names, branch, commit };
  // no name tells of a detached HEAD, or of a branch without a commit
  return { names, branch: await headOf(folder), commit: await lastCommit(folder) };
}

/** They become uncommitted work, so that only reviewed commits reach the branch. */
export async function foldCommits(start: TaskStart, before?: Names): Promise<void> {
  const { folder, base } = start;
  await refuseChangedHistory(start, before);
  // records of earlier versions have no base
  if (base === undefined || (await lastCommit(folder)) === base) return;
  const others = await commitsOfOthers(start);
  if (others.length > 0)
    throw changed([
      `HEAD contains commits of others: ${others.slice(0, mostNamed).join(', ')} (\`git reset ` +
        `--soft ${base}\` leaves their files as changes; merge before a task, not in it)`,
    ]);
  await (base === ''
    ? git(folder, 'update-ref', '-d', 'HEAD')
    : git(folder, 'reset', '-q', '--soft', base));
}

/**
 * One that is not that of the start with more commits on top: another branch, lost or rewritten
 * commits, moved names, an open merge.
 */
export async function refuseChangedHistory(start: TaskStart, before?: Names): Promise<void> {
  const state = await stateOf(start.folder);
  const problems = (
    await Promise.all([
      otherHeads(start, state),
      lostBase(start, state),
      movedNames(start, before, state),
    ])
  ).flat();
  if (problems.length > 0) throw changed(problems);
}

async function otherHeads(
  { root, folder, branch }: TaskStart,
  state: HistoryState,
): Promise<string[]> {
  if (branch === undefined) return [];
  const heads = [
    { place: root, at: branch },
    ...(folder === root ? [] : [{ place: folder, at: '' }]),
  ];
  const found = await Promise.all(
    heads.map(async ({ place, at }) => {
      const head = place === folder ? state.branch : await headOf(place);
      if (head === at) return [];
      const to = at === '' ? '--detach' : shortName(at);
      return [`${place} is on ${shown(head)}, not on ${shown(at)} (\`git checkout ${to}\`)`];
    }),
  );
  return found.flat();
}

async function lostBase(
  { folder, base = '' }: TaskStart,
  { commit }: HistoryState,
): Promise<string[]> {
  const merging = await git(folder, 'rev-parse', '--verify', '--quiet', 'MERGE_HEAD').catch(
    () => '',
  );
  const problems = merging === '' ? [] : ['a merge is open (`git merge --abort`)'];
  if (base === '' || base === commit || (await isAncestor(folder, base, 'HEAD'))) return problems;
  return [
    `HEAD no longer contains ${base}, which was the last commit (\`git reset --soft ${base}\`)`,
    ...problems,
  ];
}

async function movedNames(
  start: TaskStart,
  before: Names | undefined,
  { names: now }: HistoryState,
): Promise<string[]> {
  if (before === undefined) return [];
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const found = await Promise.all(
    names.map(async (name) => {
      const [was = '', is = ''] = [before.get(name), now.get(name)];
      if (was === is || (name === start.branch && (await mayGrow(start, was, is)))) return [];
      return [movedName(name, was, is)];
    }),
  );
  return found.flat();
}

/** In a worktree of its own, other tasks put their commits onto the branch meanwhile. */
async function mayGrow({ root, folder }: TaskStart, was: string, is: string): Promise<boolean> {
  return folder === root || (was !== '' && is !== '' && (await isAncestor(folder, was, is)));
}

function movedName(name: string, was: string, is: string): string {
  if (name === 'refs/stash')
    return `the stash was ${was || 'empty'} and is ${is || 'empty'} (\`git stash store ID\`, \`git stash pop\`)`;
  const back = was === '' ? `git update-ref -d ${name}` : `git update-ref ${name} ${was}`;
  return `${shortName(name)} was ${was || 'absent'} and is ${is || 'absent'} (\`${oneLine(back)}\`)`;
}

async function commitsOfOthers({ root, folder, base, branch = '' }: TaskStart): Promise<string[]> {
  const range = base === '' ? 'HEAD' : `${base}..HEAD`;
  const own = folder === root && branch !== '' ? [`--exclude=${branch}`] : [];
  const read = async (...more: string[]): Promise<string[]> =>
    (await git(folder, 'rev-list', range, ...more)).split('\n').filter(Boolean);
  const alone = new Set(await read('--not', ...own, '--glob=refs/*'));
  return (await read()).filter((commit) => !alone.has(commit));
}

function isAncestor(folder: string, commit: string, later: string): Promise<boolean> {
  return git(folder, 'merge-base', '--is-ancestor', commit, later).then(
    () => true,
    () => false,
  );
}

function shown(head: string): string {
  return head === '' ? 'a detached HEAD' : shortName(head);
}

function shortName(name: string): string {
  return oneLine(name.replace(/^refs\/(heads|tags)\//, ''));
}

function changed(problems: readonly string[]): ReviewLoopError {
  const more = problems.length > mostNamed ? `; and ${problems.length - mostNamed} more` : '';
  return new ReviewLoopError(
    gitErrors.history_changed,
    `nothing was committed: ${problems.slice(0, mostNamed).join('; ')}${more}`,
    { value: problems },
  );
}
