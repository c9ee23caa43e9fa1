import type { Run } from './run.js';

/**
 * Does work with exclusive use of the pipeline's workspace, if it has one.
 *
 * @throws ReviewLoopError `workspace_busy`
 */
export async function inWorkspace<Value>(run: Run, work: () => Promise<Value>): Promise<Value> {
  const { workspace } = run.ports;
  if (workspace === undefined) return work();
  const { whileClaimed } = await import('./workspace-claim.js');
  return whileClaimed(run, workspace, work);
}
