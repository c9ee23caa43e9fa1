import { resolve } from 'node:path';
import {
  judgedRequirements,
  type ListedRequirement,
  numberRequirements,
  taskDigest,
} from '../../../blocks/requirements/requirement-list.js';
import { taskTextOf } from '../../../blocks/requirements/task-text.js';
import type { RequirementSource } from '../../../blocks/reviewers/covered-requirement.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { isThere, readTextFile, textOf } from '../../../node/files.js';
import { type AgentRequest, agentRequest } from '../../../products/self-review/agent.js';
import { cliErrors, usageError } from '../errors.js';
import type { Io } from '../io.js';

export interface TaskOptions {
  /** The file of the task, or `-`. @default none */
  readonly task?: string | undefined;
  /** The text of the task, instead of a file. @default none */
  readonly taskText?: string | undefined;
  /** Largest size of the task, in bytes. */
  readonly maxFileSize: number;
}

export interface ReadTask {
  readonly source: string;
  /** The file of the task. @default undefined it is not a file */
  readonly file?: string | undefined;
  readonly request: AgentRequest;
}

export async function readTask(io: Io, options: TaskOptions): Promise<ReadTask> {
  const { task, taskText } = options;
  if (task !== undefined && taskText !== undefined)
    throw usageError('pass --task or --task-text, not both');
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

export interface TaskRequirements {
  readonly file: string;
  readonly list: readonly ListedRequirement[];
  /** Whether the task has changed since the file was written. */
  readonly taskChanged: boolean;
  readonly content: string;
}

/** `TASK.requirements.yml` for `TASK.md`. */
export function requirementsPath(task: string): string {
  return `${task.replace(/\.[^./\\]+$/, '')}.requirements.yml`;
}

/**
 * The given file, or else the one beside the task if it exists.
 *
 * @param file - Its path; `false` for none. @default the one beside the task
 */
export async function taskRequirements(
  io: Pick<Io, 'cwd'>,
  task: ReadTask,
  file: string | false | undefined,
): Promise<TaskRequirements | undefined> {
  if (file === false) return undefined;
  if (file === '') throw usageError('--requirements is empty: name a file');
  const beside = task.file === undefined ? undefined : requirementsPath(task.file);
  const shown = file ?? beside;
  if (shown === undefined) return undefined;
  const path = resolve(io.cwd, shown);
  if (file === undefined && !(await isThere(path))) return undefined;
  const { readRequirementsFile } = await import(
    '../../../blocks/requirements/requirements-file.js'
  );
  const { requirements, digest, content } = await readRequirementsFile(path, shown);
  const text = taskTextOf(task.request);
  return { file: shown, list: requirements, taskChanged: digest !== taskDigest(text), content };
}

export const readFromTask: RequirementSource<AgentRequest> = {
  makesSteps: false,
  extract: async (request) => {
    const { requirementsOfTask } = await import('../../../blocks/requirements/rest-of-task.js');
    return judgedRequirements(numberRequirements(await requirementsOfTask(request)));
  },
};

export function listedSource(list: readonly ListedRequirement[]): RequirementSource<AgentRequest> {
  return { makesSteps: false, extract: async () => judgedRequirements(list) };
}
