import type { Run } from './run.js';

/**
 * Does work with exclusive use of the pipeline's workspace, if it has one.
 *
 * @throws ReviewLoopError `workspace_busy`
 */
export function inWorkspace<Value>(run: Run, work: () => Promise<Value>): Promise<Value> {
  const { workspace } = run.ports;
  return workspace === undefined
    ? work()
    : import('./workspace-claim.js').then((claim) => claim.whileClaimed(run, workspace, work));
}
