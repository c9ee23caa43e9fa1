import { open, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { shortList } from '../../../core/plural.js';
import { systemCode } from '../../../node/durable.js';
import { makeFolder } from '../../../node/files.js';
import { gitErrors } from '../../../node/git/errors.js';
import { gitDiff } from '../../../node/git/git-diff.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { git, uncommitted } from './task-folder.js';
import type { TaskRecord } from './task-record.js';

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
