import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { Run } from './run.js';
import { failedResult, type RunResult } from './run-result.js';

/**
 * Leaves the workspace with the tree of what comes back; where nothing does, with the one from before the run. An ending
 * whose tree is not there is a failure, whatever it was before: an approval of another tree would be one of nothing (law 2).
 */
export async function restoreFinalVersion<Output>(
  run: Run,
  ending: RunResult<Output>,
): Promise<RunResult<Output>> {
  const tree = ending.version === undefined ? run.trees?.start : ending.version.tree;
  if (run.trees === undefined || tree === undefined) return ending;
  try {
    await run.trees.verify(tree);
    return ending;
  } catch (error) {
    const known =
      error instanceof ReviewLoopError
        ? error
        : new ReviewLoopError('workspace_failed', messageOf(error), { cause: error });
    run.ports.logger.error(
      { run: run.id, tree, status: ending.status, error: known.what },
      'the workspace does not hold what the run came to',
    );
    return ending.status === 'failed' ? ending : failedResult(known, ending.version);
  }
}
