import type { TaskResult } from '../task-result.js';
import { isUnfinished } from './begin-task.js';
import { setAside } from './set-aside.js';
import { removeFolder } from './task-folder.js';
import { foldCommits } from './task-history.js';
import type { TaskRecord } from './task-record.js';

/** Where the work of a task is after it ended. */
export interface FinishedTask {
  /** The git worktree of the task, if it still exists. */
  readonly folder?: string | undefined;
  /** The patch with the changes of a task that failed. */
  readonly aside?: string | undefined;
}

/** Returns whether the repository folder contains the work of a task after this result. */
export function isHeld({ root, folder, settings }: TaskRecord, result: TaskResult): boolean {
  if (folder !== root) return false;
  return result.success ? !settings.commit : canContinue(result);
}

/**
 * Cleans up after a task. The worktree of a completed task is removed. The changes of a task that
 * failed for good are set aside, so that the repository folder is clean for the next task.
 *
 * @throws ReviewLoopError `git_failed`, `git_locked`, `history_changed`, `output_unwritable`
 */
export async function finishTask(
  record: TaskRecord,
  result: TaskResult,
  store: string,
): Promise<FinishedTask> {
  const { root, folder } = record;
  if (folder !== root) {
    if (!result.success) return { folder };
    await removeFolder(root, folder);
    return {};
  }
  if (result.success || canContinue(result)) return {};
  await foldCommits(record);
  return { aside: await setAside(record, store) };
}

function canContinue({ status, code }: TaskResult): boolean {
  return isUnfinished({ status, errorCode: code });
}
