import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { readProblem } from '../../node/read-problem.js';
import { type ParsedTask, parseTasks } from '../parse-tasks.js';

/** Reads a task list. @throws ReviewLoopError `file_unreadable`, `tasks_invalid`, `task_unknown`, `task_cycle` */
export async function readTasks(cwd: string, file: string): Promise<ParsedTask[]> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `cannot read ${file}: ${readProblem(error)}`,
      {
        cause: error,
        value: file,
      },
    );
  }
  return parseTasks(text);
}
