import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { unreadableFile } from '../../node/file-errors.js';
import { type ParsedTask, parseTasks } from '../parse-tasks.js';

/**
 * Reads a task list. @throws ReviewLoopError `file_unreadable`, `tasks_invalid`, `task_unknown`,
 * `task_cycle`
 */
export async function readTasks(cwd: string, file: string): Promise<ParsedTask[]> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw unreadableFile(file, error);
  }
  return parseTasks(text);
}
