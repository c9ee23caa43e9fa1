import { resolve } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { readTextFile, textOf } from '../../node/files.js';
import { type AgentRequest, agentRequest } from '../../self-review/agent.js';
import { cliErrors } from '../errors.js';
import type { Io } from '../io.js';

/** Options of {@link readTask}. */
export interface TaskOptions {
  /** The file of the task, or `-`. @default none */
  readonly task?: string | undefined;
  /** The text of the task, instead of a file. @default none */
  readonly taskText?: string | undefined;
  /** Largest size of the task, in bytes. */
  readonly maxFileSize: number;
}

/** A task, and its source for people. */
export interface ReadTask {
  readonly source: string;
  /** The file of the task. @default undefined it is not a file */
  readonly file?: string | undefined;
  readonly request: AgentRequest;
}

/**
 * Reads the task from a file, from the standard input (`-`) or from the command line.
 *
 * @throws ReviewLoopError `task_missing`, `task_empty`, `usage`, `file_too_large`
 */
export async function readTask(io: Io, options: TaskOptions): Promise<ReadTask> {
  const { task, taskText } = options;
  if (task !== undefined && taskText !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, 'pass --task or --task-text, not both');
  if (taskText !== undefined) return taskOf('--task-text', taskText);
  if (task === undefined) throw new ReviewLoopError(cliErrors.task_missing, 'no task was given');
  const found =
    task === '-'
      ? textOf(await io.readStdin(options.maxFileSize))
      : await fromFile(io, task, options);
  const source = task === '-' ? 'standard input' : task;
  if (found.kind !== 'text')
    throw new ReviewLoopError(cliErrors.task_missing, `the task in ${source} is not a UTF-8 text`, {
      value: task,
    });
  return { ...taskOf(source, found.text), ...(task !== '-' && { file: task }) };
}

async function fromFile(
  io: Io,
  task: string,
  { maxFileSize }: TaskOptions,
): ReturnType<typeof readTextFile> {
  try {
    return await readTextFile(resolve(io.cwd, task), { shown: task, maxBytes: maxFileSize });
  } catch (error) {
    if (!(error instanceof ReviewLoopError) || error.code !== 'file_unreadable') throw error;
    throw new ReviewLoopError(cliErrors.task_missing, `the task is missing: ${error.what}`, {
      cause: error,
      value: task,
    });
  }
}

function taskOf(source: string, text: string): ReadTask {
  if (text.trim() === '')
    throw new ReviewLoopError(cliErrors.task_empty, `the task in ${source} is empty`);
  return { source, request: agentRequest({ id: source, description: text }) };
}
