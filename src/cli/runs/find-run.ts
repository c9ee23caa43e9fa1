import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import type { FoundRun } from '../../cli-kit/runs/run-kind.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { taskOfRun } from '../../task-review/command/task-record.js';

/**
 * Finds a run that a command can continue: of a task, a diff or files. Only the modules of its kind
 * are loaded.
 *
 * @throws ReviewLoopError `run_unknown`, `run_elsewhere`, `run_busy`, `run_interrupted`,
 *   `file_unreadable`
 */
export async function findRun(store: StoreHandle, id: string): Promise<FoundRun> {
  const task = await taskOfRun(store.files, id);
  if (task !== undefined) {
    const { foundTaskRun } = await import('../../task-review/command/task-run.js');
    return foundTaskRun(store, task);
  }
  const report = await findReviewed(store, id);
  const { readStageRequest } = await import('../../reviewer-stage/command/stage-request.js');
  const request = await readStageRequest(store.files, report.runId);
  if (request !== undefined) {
    const { foundStageRun } = await import('../../reviewer-stage/command/stage-run.js');
    return foundStageRun(report, request);
  }
  const { foundFileRun } = await import('../review/file-run.js');
  return foundFileRun(store, report);
}
