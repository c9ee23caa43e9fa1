import { resolve } from 'node:path';
import { cliErrors } from '../../cli-kit/errors.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import {
  type ReadTask,
  readTask,
  requirementsPath,
  type TaskRequirements,
  taskRequirements,
} from '../../cli-kit/inputs/read-task.js';
import type { Io } from '../../cli-kit/io.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { isThere, writeFileAtomic } from '../../node/files.js';
import {
  type ListChanges,
  type ListedRequirement,
  numberRequirements,
  refreshList,
  taskDigest,
} from '../../requirements/requirement-list.js';
import { requirementsText } from '../../requirements/requirements-file.js';
import { requirementsOfTask } from '../../requirements/rest-of-task.js';
import { taskTextOf } from '../../requirements/task-text.js';
import type { requirementsFlags } from './requirements-flags.js';
import {
  type DecidersFor,
  type RequirementsReport,
  showRequirements,
} from './show-requirements.js';

type Settings = SettingsOf<typeof requirementsFlags>;

/**
 * Lists the requirements of a task, and writes them into a file with --write.
 *
 * @param decidersFor - Returns who can decide a requirement. @default a model or a person
 * @returns The exit code.
 * @throws ReviewLoopError `task_missing`, `task_empty`, `usage`, `requirements_invalid`,
 *   `already_exists`, `output_unwritable`
 */
export async function listRequirements(
  io: Io,
  settings: Settings,
  decidersFor?: DecidersFor,
): Promise<number> {
  checkTogether(settings);
  const task = await readTask(io, settings);
  const found = await requirementsOfTask(task.request);
  const file = fileOf(settings, task);
  const before =
    file !== undefined && (await isThere(resolve(io.cwd, file)))
      ? await taskRequirements(io, task, file)
      : undefined;
  const changes = before && refreshList(before.list, found);
  const { source, file: taskFile } = task;
  const listed = { source, taskFile, digest: digestOf(task), before, changes };
  if (settings.write === undefined || file === undefined)
    return show(io, { ...listed, list: before?.list ?? numberRequirements(found) });
  const list = changes?.list ?? numberRequirements(found);
  if (before !== undefined && !settings.force && isChanged(changes)) {
    await show(io, { ...listed, list: before.list, refused: true });
    throw new ReviewLoopError(
      cliErrors.already_exists,
      `${file} exists and was left unchanged; pass --force to make these changes`,
      { value: file },
    );
  }
  await writeList(io, { file, task, list, before });
  return show(io, { ...listed, list, written: file });

  async function show(to: Io, report: RequirementsReport): Promise<number> {
    await showRequirements(to, report, { format: settings.format, decidersFor });
    return 0;
  }
}

function checkTogether({ task, taskText, write, force }: Settings): void {
  if (force && write === undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--force requires --write');
  if (write === '') throw new ReviewLoopError(nodeErrors.usage, '--write is empty: name a file');
  if (typeof write === 'string' && task === undefined && taskText === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `no task was given: --write takes ${write} as its file; name the task before --write`,
    );
}

/** Returns the requirements file that is written or that `review` would read. */
function fileOf({ write }: Settings, { file }: ReadTask): string | undefined {
  if (typeof write === 'string') return write;
  if (file !== undefined) return requirementsPath(file);
  if (write === undefined) return undefined;
  throw new ReviewLoopError(
    nodeErrors.usage,
    'the task is not a file, so --write needs a name: pass --write FILE',
  );
}

function isChanged(changes: ListChanges | undefined): boolean {
  return (
    changes !== undefined &&
    changes.added.length + changes.removed.length + changes.changed.length > 0
  );
}

function digestOf({ request }: ReadTask): string {
  return taskDigest(taskTextOf(request));
}

async function writeList(
  io: Io,
  {
    file,
    task,
    list,
    before,
  }: {
    readonly file: string;
    readonly task: ReadTask;
    readonly list: readonly ListedRequirement[];
    readonly before: TaskRequirements | undefined;
  },
): Promise<void> {
  const content = { task: task.source, digest: digestOf(task), requirements: list };
  const text = await requirementsText(content, before?.content);
  await writeFileAtomic(resolve(io.cwd, file), text, { shared: true });
}
