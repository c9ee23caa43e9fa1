import { ReviewLoopError } from '../core/errors.js';
import type { Workspace } from '../ports/workspace.js';

const inUse = new WeakSet<Workspace>();

/**
 * Does work that changes a workspace, while nobody else does: two runs at a time would undo each other.
 *
 * @throws ReviewLoopError `workspace_busy`
 */
export async function whileClaimed<Value>(
  workspace: Workspace | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  if (workspace === undefined) return work();
  if (inUse.has(workspace))
    throw new ReviewLoopError(
      'workspace_busy',
      'another run of this process is using the workspace',
    );
  inUse.add(workspace);
  try {
    const claim = await workspace.claim?.();
    try {
      return await work();
    } finally {
      await claim?.release();
    }
  } finally {
    inUse.delete(workspace);
  }
}
