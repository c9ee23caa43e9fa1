import { join } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { withLock } from '../../node/lock.js';
import { systemClock } from '../../ports/clock.js';
import { portErrors } from '../../ports/errors.js';
import { gitFolderOf } from './task-folder.js';

/**
 * Does work that changes a folder. Only one process works in a folder at a time; a second one
 * changes nothing.
 *
 * @throws ReviewLoopError `workspace_busy`
 */
export async function claimFolder<Value>(
  folder: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const busy = (): ReviewLoopError =>
    new ReviewLoopError(
      portErrors.workspace_busy,
      `another reviewloop command is working in ${folder}, and this one has changed nothing`,
      { value: folder },
    );
  const lock = join(await gitFolderOf(folder), 'reviewloop');
  return withLock(lock, { clock: systemClock, waitMs: 0, busy }, work);
}
