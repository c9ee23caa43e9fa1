import { ReviewLoopError } from '../../../core/errors.js';
import { gitErrors } from '../../../node/git/errors.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { TaskAttempt } from '../../../ports/attempt-store.js';
import { systemRandom } from '../../../ports/random.js';
import type { ParsedTask } from '../../../products/task-review/parse-tasks.js';
import type { TaskResult } from '../../../products/task-review/task-result.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { TaskPlace } from './build-task-review.js';
import {
  addFolder,
  commitOf,
  hasMoved,
  headOf,
  lastCommit,
  messageOf,
  refuseOverlooked,
  removeFolder,
  setAside,
  uncommitted,
} from './task-folder.js';
import { foldCommits } from './task-history.js';
import { readTask, readTasksIn, saveTask, type TaskRecord, type TasksRun } from './task-record.js';

const continuable: readonly (string | null)[] = [
  'CANCELLED',
  'COMMIT_FAILED',
  'HISTORY_CHANGED',
  'REVIEW_NOT_RUN',
  'REVIEW_ERROR',
];

/** It waits, was cancelled, has no verdict of its reviewers, or could not be committed. */
export function isUnfinished({
  status,
  errorCode,
}: Pick<TaskAttempt, 'status' | 'errorCode'>): boolean {
  return status === 'waiting' || continuable.includes(errorCode);
}

/** An unfinished run keeps its settings, except the model that reviews and the budget. */
export async function beginTask(
  { line: _, ...task }: ParsedTask,
  run: TasksRun,
  place: Pick<TaskPlace, 'inTurn'> & { readonly root: string },
): Promise<TaskRecord> {
  const { store, settings } = run;
  const again = run.again(task.id);
  await refuseAfterChangedHistory(task.id, run, place.root);
  const earlier = await unfinishedRun(store, task.id);
  if (earlier !== undefined && (await mayContinue(earlier, run))) {
    const { provider, model, baseUrl, contextTokens, structured, providerEnv } = settings;
    const { budgetTokens, budgetUsd } = settings;
    const models = { provider, model, baseUrl, contextTokens, structured, providerEnv };
    const chosen = { ...models, budgetTokens, budgetUsd };
    const record = { ...earlier, again, settings: { ...earlier.settings, ...chosen } };
    await saveTask(store.files, record);
    return record;
  }
  const runId = systemRandom.id();
  const folder = await folderFor(task.id, runId, { ...place, run });
  const base = await lastCommit(folder);
  const { root } = place;
  const branch = await headOf(root);
  const record: TaskRecord = {
    schemaVersion: 2,
    runId,
    root,
    folder,
    base,
    branch,
    task,
    settings,
    again,
  };
  await saveTask(store.files, record);
  return record;
}

/** A person has to look at it first. */
async function refuseAfterChangedHistory(
  id: string,
  { store, anew }: TasksRun,
  root: string,
): Promise<void> {
  for (const { task, runId, ...record } of await readTasksIn(store.files)) {
    const last = (await store.attempts.of(task.id)).findLast((one) => one.runId === runId);
    if (record.root !== root || last?.errorCode !== 'HISTORY_CHANGED') continue;
    if (task.id === id && anew) continue;
    throw new ReviewLoopError(
      gitErrors.history_changed,
      `the command of ${task.id} left another history, and no task begins before ` +
        `--task ${task.id} --anew: ${oneLine(last.error ?? '')}`,
      { value: task.id },
    );
  }
}

/** With --anew, its changes are set aside instead. */
async function mayContinue(earlier: TaskRecord, { store, anew }: TasksRun): Promise<boolean> {
  const { id } = earlier.task;
  if (anew) {
    if (earlier.folder === earlier.root) await setAside(earlier, store);
    return false;
  }
  if (!(await hasMoved(earlier))) return true;
  throw usageError(
    `the branch has new commits since the work on ${id} began; continuing would ` +
      `revert them: pass --task ${id} --anew to start it again`,
  );
}

/** A clean one: a worktree, or the folder of the repository. */
async function folderFor(
  id: string,
  runId: string,
  {
    root,
    inTurn,
    run: { store, parallel },
  }: Pick<TaskPlace, 'inTurn'> & { readonly root: string; readonly run: TasksRun },
): Promise<string> {
  if (parallel > 1) return inTurn(() => addFolder(root, store, runId));
  await refuseOverlooked(root);
  if ((await uncommitted(root)) === '') return root;
  throw usageError(await dirtyText(id, root, store), root);
}

async function unfinishedRun(store: StoreHandle, id: string): Promise<TaskRecord | undefined> {
  const earlier = await readTask(store.files, id);
  if (earlier === undefined) return undefined;
  const last = (await store.attempts.of(id)).findLast(({ runId }) => runId === earlier.runId);
  return last === undefined || isUnfinished(last) ? earlier : undefined;
}

/** Returns why a task cannot begin in a folder with changes, and what to do. */
async function dirtyText(id: string, root: string, store: StoreHandle): Promise<string> {
  for (const { task, folder } of await readTasksIn(store.files)) {
    if (folder !== root || (await unfinishedRun(store, task.id)) === undefined) continue;
    return (
      `the folder contains the unfinished work on ${task.id}: finish that task first, or set ` +
      `its work aside with --task ${task.id} --anew`
    );
  }
  return (
    'the folder has uncommitted changes; commit them or run `git stash -u` first, so that they ' +
    `do not mix with the work on ${id}`
  );
}

export interface FinishedTask {
  readonly folder?: string | undefined;
  readonly aside?: string | undefined;
  readonly commit?: string | undefined;
  /** The message for a commit of its work, if nobody has committed it. */
  readonly message?: string | undefined;
}

/** The repository folder contains its work after this result. */
export function isHeld({ root, folder, settings }: TaskRecord, result: TaskResult): boolean {
  if (folder !== root) return false;
  return result.success ? !settings.commit : canContinue(result);
}

/**
 * The worktree of a completed task is removed. The changes of a task that failed for good are set
 * aside, so that the repository folder is clean for the next task.
 */
export async function finishTask(
  record: TaskRecord,
  result: TaskResult,
  store: StoreHandle,
): Promise<FinishedTask> {
  const { root, folder } = record;
  if (result.success) {
    await removeFolder(root, folder);
    const commit = record.settings.commit ? await commitOf(record) : '';
    if (commit !== '') return { commit };
    const isLeft = isHeld(record, result) && (await uncommitted(root)) !== '';
    return isLeft ? { message: messageOf(record.task) } : {};
  }
  if (folder !== root) return { folder };
  if (canContinue(result)) return {};
  await foldCommits(record);
  return { aside: await setAside(record, store) };
}

function canContinue({ status, code }: TaskResult): boolean {
  return isUnfinished({ status, errorCode: code });
}
