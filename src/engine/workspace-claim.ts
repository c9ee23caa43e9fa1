import { ReviewLoopError } from '../core/errors.js';
import { portErrors } from '../ports/errors.js';
import type { Workspace } from '../ports/workspace.js';
import type { Run } from './run.js';
import { WorkspaceSnapshots } from './workspace-snapshots.js';

const inUse = new WeakSet<Workspace>();

/**
 * Does work with exclusive use of a workspace: two runs at a time would undo each other's changes.
 *
 * @throws ReviewLoopError `workspace_busy`
 */
export async function whileClaimed<Value>(
  run: Run,
  workspace: Workspace,
  work: () => Promise<Value>,
): Promise<Value> {
  if (inUse.has(workspace))
    throw new ReviewLoopError(
      portErrors.workspace_busy,
      'another run of this process is using the workspace',
    );
  inUse.add(workspace);
  try {
    const claim = await workspace.claim?.();
    try {
      run.trees = new WorkspaceSnapshots(workspace, run);
      return await work();
    } finally {
      await claim?.release();
    }
  } finally {
    inUse.delete(workspace);
  }
}
