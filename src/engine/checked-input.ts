import { checked } from '../core/checked.js';
import { copyJson } from '../core/json.js';
import type { Definition } from './definition.js';

/** A copy of the task that a caller passes, as the pipeline's schema reads it. @throws ReviewLoopError `not_json`, `task_invalid` */
export function checkedTask<Task>(
  { taskSchema }: Pick<Definition<Task, never>, 'taskSchema'>,
  given: Task,
): Task {
  const task = copyJson(given === undefined ? (null as Task) : given, { freeze: true });
  if (taskSchema === undefined) return task;
  return copyJson(checked(taskSchema, task, { error: 'task_invalid', what: 'task' }), {
    freeze: true,
  });
}

/** The output that a caller passes for review, as the pipeline's schema reads it. @throws ReviewLoopError `not_json`, `output_invalid` */
export function checkedOutput<Output>(
  { outputSchema }: Pick<Definition<never, Output>, 'outputSchema'>,
  given: Output,
): Output {
  if (outputSchema === undefined) return given;
  return checked(outputSchema, copyJson(given, { freeze: true }), {
    error: 'output_invalid',
    what: 'output',
  });
}
