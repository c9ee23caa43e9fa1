import { resolve } from 'node:path';
import { readText } from '../../node/files.js';
import { type ParsedTask, parseTasks } from '../parse-tasks.js';

/** The size limit of a task list, in bytes. */
const largest = 10_000_000;

/**
 * Reads a task list. @throws ReviewLoopError `file_unreadable`, `file_too_large`,
 * `tasks_invalid`, `task_unknown`, `task_cycle`
 */
export async function readTasks(cwd: string, file: string): Promise<ParsedTask[]> {
  return parseTasks(await readText(resolve(cwd, file), { shown: file, maxBytes: largest }));
}
