import { resolve } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { isThere } from '../../node/files.js';
import { readRequirementsFile } from '../../requirements/file-requirements.js';
import {
  judgedRequirements,
  type ListedRequirement,
  numberRequirements,
  taskDigest,
} from '../../requirements/requirement-list.js';
import { requirementsOfTask } from '../../requirements/rest-of-task.js';
import { taskTextOf } from '../../requirements/task-text.js';
import type { RequirementSource } from '../../reviewers/coverage-options.js';
import type { AgentRequest } from '../../self-review/agent.js';
import type { Io } from '../io.js';
import type { ReadTask } from './read-task.js';

export interface TaskRequirements {
  /** The path of the file, as it is shown. */
  readonly file: string;
  readonly list: readonly ListedRequirement[];
  /** Whether the task has changed since the file was written. */
  readonly taskChanged: boolean;
  /** The text of the file. */
  readonly content: string;
}

/** Returns the requirements file beside a task: `TASK.requirements.yml` for `TASK.md`. */
export function requirementsPath(task: string): string {
  return `${task.replace(/\.[^./\\]+$/, '')}.requirements.yml`;
}

/**
 * Reads the requirements file of a task: the given one, or else the one beside the task if it
 * exists.
 *
 * @param file - Its path; `false` for none. @default the one beside the task
 * @throws ReviewLoopError `requirements_invalid`, `file_unreadable`, `file_too_large`, `usage`
 */
export async function taskRequirements(
  io: Pick<Io, 'cwd'>,
  task: ReadTask,
  file: string | false | undefined,
): Promise<TaskRequirements | undefined> {
  if (file === false) return undefined;
  if (file === '')
    throw new ReviewLoopError(nodeErrors.usage, '--requirements is empty: name a file');
  const beside = task.file === undefined ? undefined : requirementsPath(task.file);
  const shown = file ?? beside;
  if (shown === undefined) return undefined;
  const path = resolve(io.cwd, shown);
  if (file === undefined && !(await isThere(path))) return undefined;
  const { requirements, digest, content } = await readRequirementsFile(path, shown);
  const text = taskTextOf(task.request);
  return { file: shown, list: requirements, taskChanged: digest !== taskDigest(text), content };
}

/** Reads the requirements of a task from its text, with ids. */
export const readFromTask: RequirementSource<AgentRequest> = {
  makesSteps: false,
  extract: async (request) =>
    judgedRequirements(numberRequirements(await requirementsOfTask(request))),
};

/** Returns a source of exactly the requirements of a list. */
export function listedSource(list: readonly ListedRequirement[]): RequirementSource<AgentRequest> {
  return { makesSteps: false, extract: async () => judgedRequirements(list) };
}
