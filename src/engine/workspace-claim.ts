import { ReviewLoopError } from '../core/errors.js';
import { portErrors } from '../ports/errors.js';
import type { Workspace } from '../ports/workspace.js';
import type { Run } from './run.js';
import { WorkspaceSnapshots } from './workspace-snapshots.js';

const inUse = new WeakSet<Workspace>();

/** Two runs at a time would undo each other's changes. */
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
  const free = (): void => void inUse.delete(workspace);
  let claim: Claim | undefined;
  try {
    claim = await claimed(run, workspace);
  } catch (error) {
    free();
    throw error;
  }
  const trees = new WorkspaceSnapshots(workspace, run);
  run.trees = trees;
  try {
    return await work();
  } finally {
    const released = trees
      .idle()
      .then(() => claim?.release())
      .finally(free);
    // an operation that did not answer keeps the claim, and nobody waits for it
    if (trees.isBusy) released.catch(() => {});
    else
      await run.over('releasing the workspace', released).catch((error: unknown) => {
        if (error !== run.ended) throw error;
      });
  }
}

type Claim = Awaited<ReturnType<NonNullable<Workspace['claim']>>>;

/** A claim that comes too late is released. */
async function claimed(run: Run, workspace: Workspace): Promise<Claim | undefined> {
  const claiming = workspace.claim?.();
  if (claiming === undefined) return undefined;
  try {
    return await run.over('claiming the workspace', claiming);
  } catch (error) {
    claiming.then(
      (late) => late.release(),
      () => {},
    );
    throw error;
  }
}
