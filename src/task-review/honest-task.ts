import { type HonestWorkOptions, honestWorkOf } from '../criteria/diff/honest-work.js';
import type { DiffSource } from '../diff/diff-source.js';
import type { TaskWork } from './task.js';
import { changeOf } from './task-change.js';
import type { TaskCheck } from './task-checks.js';

/** Creates the check of what a task weakens. It reads the whole diff, of which work has a part. */
export function honestTask(diff: DiffSource, options: HonestWorkOptions): TaskCheck {
  return honestWorkOf<TaskWork>(async ({ change }, { signal }) => {
    const now = await diff.diff({ kind: 'working-tree', base: change.base }, { signal });
    const isSame = changeOf(now).digest === change.digest;
    return isSame ? now.files : now.files.map((file) => ({ ...file, omitted: true }));
  }, options);
}
