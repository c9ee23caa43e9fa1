import { join } from 'node:path';
import * as z from 'zod';
import type { HonestWorkOptions } from '../../../blocks/criteria/diff/honest-work.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import { engineErrors } from '../../../engine/errors.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { ReviewTaskSchema } from '../../../products/task-review/task.js';
import { flagSchema } from '../../cli-kit/flags/flag-schema.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { checkedJson, readJson, writeJson } from '../../reports/run-folder.js';
import { taskRecordFlags } from './task-flags.js';

export const TaskSettingsSchema = z.object({
  ...flagSchema(taskRecordFlags),
  exec: z.string(),
  reviewPolicy: z.enum(['advisory', 'required']),
  attempts: z.int().min(1),
  roles: z
    .array(z.enum(['quality', 'implementation', 'testing', 'simplification', 'docs']))
    .optional(),
  template: z.string().optional(),
  diffBytes: z.int().optional(),
  allowUnseen: z.array(z.string()).optional(),
  /** How honest work is judged; `false` if it is not. */
  honestWork: z.custom<HonestWorkOptions | false>().optional(),
  learn: z.boolean().default(false),
});

export type TaskSettings = z.infer<typeof TaskSettingsSchema>;

const TaskRecordSchema = z.object({
  schemaVersion: z.literal(2),
  runId: z.string(),
  root: z.string(),
  folder: z.string(),
  base: z.string().optional(),
  /** The branch of the repository folder when the task began; '' for a detached HEAD. */
  branch: z.string().optional(),
  task: ReviewTaskSchema,
  settings: TaskSettingsSchema,
  again: z.string().default('reviewloop tasks run'),
});

/** It is about the newest run of a task. */
export type TaskRecord = z.infer<typeof TaskRecordSchema>;

/** Must come before the run starts. */
export function saveTask(files: StoreFiles, record: TaskRecord): Promise<void> {
  return writeJson(files, placeOf(record.task.id), record);
}

export async function readTask(files: StoreFiles, taskId: string): Promise<TaskRecord | undefined> {
  return readRecord(files, placeOf(taskId));
}

export async function taskOfRun(files: StoreFiles, id: string): Promise<TaskRecord | undefined> {
  const found = (await readTasksIn(files)).filter(
    ({ runId, task }) => id !== '' && (runId.startsWith(id) || task.id === id),
  );
  if (found.length > 1)
    throw new ReviewLoopError(
      engineErrors.run_unknown,
      `${found.length} runs begin with ${id}: ${found.map(({ runId }) => runId).join(', ')}`,
      { value: id },
    );
  return found[0];
}

export async function isTaskRun(files: StoreFiles, runId: string): Promise<boolean> {
  return (await readTasksIn(files)).some((record) => record.runId === runId);
}

export async function readTasksIn(files: StoreFiles): Promise<TaskRecord[]> {
  const names = await files.list('tasks').catch(() => []);
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => readRecord(files, join('tasks', name)).catch(() => undefined)),
  );
  return records.filter((record) => record !== undefined);
}

function placeOf(taskId: string): string {
  return join('tasks', `${hashText(taskId).slice(0, 32)}.json`);
}

async function readRecord(files: StoreFiles, path: string): Promise<TaskRecord | undefined> {
  const given = await readJson(files, path);
  return given === undefined ? undefined : checkedJson(TaskRecordSchema, given, files.at(path));
}

export interface TasksRun {
  readonly tasks: string;
  readonly chosen: readonly string[] | 'all';
  readonly settings: TaskSettings;
  readonly parallel: number;
  readonly anew: boolean;
  readonly again: (id: string) => string;
  readonly tui: boolean;
  /** Whether this process may ask a person. */
  readonly interactive: boolean;
  readonly by: string;
  readonly store: StoreHandle;
  readonly report: readonly string[];
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
}
