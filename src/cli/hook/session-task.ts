import { join } from 'node:path';
import { requirementsPath } from '../../cli-kit/inputs/read-task.js';
import type { Config } from '../../config/config.js';
import { isThere } from '../../node/files.js';

/** The task of a session, as arguments of `reviewloop review`. */
export interface SessionTask {
  readonly argv: readonly string[];
  /** The files of the task, below the root. */
  readonly files: readonly string[];
  /** Whether the task is what the person asked the agent. */
  readonly byPrompt: boolean;
}

/** The task if nobody named one: the criteria judge alone. */
const noTask = 'The change of this session meets the criteria of the project.';

/**
 * Returns the task of a session: the configured file, else TASK.md, else the prompt if a model can
 * judge it, else none. A prompt is seldom written so that a check could decide it.
 */
export async function sessionTask(
  root: string,
  { hook = {}, requirements: judged }: Config,
  given: { readonly prompt: string | undefined; readonly asksModel: boolean },
): Promise<SessionTask> {
  const { requirements = judged } = hook;
  const prompt = given.prompt?.trim() ?? '';
  const byDefault = (await isThere(join(root, 'TASK.md')))
    ? 'TASK.md'
    : given.asksModel
      ? 'prompt'
      : undefined;
  const task = hook.task ?? byDefault;
  if (task === undefined || (task === 'prompt' && prompt === ''))
    return { argv: ['--task-text', noTask, '--no-requirements'], files: [], byPrompt: false };
  const left = requirements === false ? ['--no-requirements'] : [];
  const listed = typeof requirements === 'string' ? ['--requirements', requirements] : left;
  if (task === 'prompt')
    return { argv: ['--task-text', prompt, ...listed], files: filesOf(listed), byPrompt: true };
  const files = [task, ...filesOf(listed), requirementsPath(task)];
  return { argv: ['--task', task, ...listed], files, byPrompt: false };
}

function filesOf(argv: readonly string[]): string[] {
  return argv[1] === undefined ? [] : [argv[1]];
}
