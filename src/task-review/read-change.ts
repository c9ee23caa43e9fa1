import type { StepContext } from '../core/step.js';
import type { DiffSource } from '../diff/diff-source.js';
import { type ChangeOptions, changeOf, type TaskChange, TaskChangeSchema } from './task-change.js';

/** Reads what changed since a commit, once under each name. */
export type ReadChange = (
  name: string,
  base: string,
  context: Pick<StepContext, 'step'>,
) => Promise<TaskChange>;

/** Reads changes from a source of diffs, as recorded steps. */
export function changeReader(diff: DiffSource, options: ChangeOptions): ReadChange {
  return (name, base, context) =>
    context.step(
      name,
      { input: { base, source: diff.id }, schema: TaskChangeSchema },
      async ({ signal }) =>
        changeOf(await diff.diff({ kind: 'working-tree', base }, { signal }), options),
    );
}
