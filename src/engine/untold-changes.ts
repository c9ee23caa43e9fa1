import type { Gap } from '../core/gap.js';
import { copyJson, digestJson } from '../core/json.js';
import type { Reviewer } from '../core/reviewer.js';

/** An edit: what it began with, and what it was told. */
export interface ToldEdit<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  readonly gaps: readonly Gap[];
}

/**
 * Returns the ids of the reviewers whose text an edit changed, though no gap of theirs was told. A
 * scope that fails counts as a change.
 */
export function untoldChanges<Task, Output>(
  reviewers: readonly Reviewer<Task, Output>[],
  { task, output, gaps }: ToldEdit<Task, Output>,
  edited: unknown,
): readonly string[] {
  const told = new Set(gaps.flatMap(({ raisedBy, criterionId }) => [raisedBy, criterionId]));
  const after = copyJson(edited, { freeze: true }) as Output;
  return reviewers
    .filter(({ id, scope }) => {
      if (scope === undefined || told.has(id)) return false;
      try {
        return digestJson(scope({ task, output })) !== digestJson(scope({ task, output: after }));
      } catch {
        return true;
      }
    })
    .map(({ id }) => id);
}
