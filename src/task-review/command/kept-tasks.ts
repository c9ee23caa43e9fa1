import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import { isMissing } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { makeFolder, writeFileAtomic } from '../../node/files.js';
import { ReviewTaskSchema } from '../task.js';

/** How tasks are done and reviewed; kept with each run, so that it can be gone on with. */
export const TaskSettingsSchema = z.object({
  exec: z.string(),
  tests: z.string().optional(),
  lint: z.string().optional(),
  review: z.boolean(),
  reviewPolicy: z.enum(['advisory', 'required']),
  hitl: z.boolean(),
  attempts: z.int().min(1),
  roles: z
    .array(z.enum(['quality', 'implementation', 'testing', 'simplification', 'docs']))
    .optional(),
  template: z.string().optional(),
  commit: z.boolean(),
  timeoutMs: z.number().positive(),
  allowEnv: z.array(z.string()),
  provider: z
    .strictObject({
      name: z.string(),
      model: z.string().optional(),
      baseUrl: z.string().optional(),
    })
    .optional(),
});
/** How tasks are done and reviewed; kept with each run, so that it can be gone on with. */
export type TaskSettings = z.infer<typeof TaskSettingsSchema>;

const KeptTaskSchema = z.object({
  schemaVersion: z.literal(1),
  runId: z.string(),
  root: z.string(),
  folder: z.string(),
  base: z.string().optional(),
  task: ReviewTaskSchema,
  settings: TaskSettingsSchema,
});
/** The newest run of a task: where it works, and how. */
export type KeptTask = z.infer<typeof KeptTaskSchema>;

/**
 * Keeps the newest run of a task, before it starts.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function keepTask(store: string, kept: KeptTask): Promise<void> {
  await makeFolder(join(store, 'tasks'));
  await writeFileAtomic(placeOf(store, kept.task.id), `${JSON.stringify(kept, null, 2)}\n`);
}

/** The newest run of a task; `undefined` when there was none. */
export async function keptTask(store: string, taskId: string): Promise<KeptTask | undefined> {
  return readKept(placeOf(store, taskId));
}

/**
 * The task whose newest run has this id, or one that begins so.
 *
 * @throws ReviewLoopError `run_unknown` where several begin so
 */
export async function taskOfRun(store: string, id: string): Promise<KeptTask | undefined> {
  const folder = join(store, 'tasks');
  const names = await readdir(folder).catch(() => []);
  const kept = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => readKept(join(folder, name)).catch(() => undefined)),
  );
  const found = kept.filter(
    (one) => one !== undefined && id !== '' && (one.runId.startsWith(id) || one.task.id === id),
  );
  if (found.length > 1)
    throw new ReviewLoopError(
      'run_unknown',
      `${found.length} runs begin with ${id}: ${found.map((one) => one?.runId).join(', ')}`,
      { value: id },
    );
  return found[0];
}

function placeOf(store: string, taskId: string): string {
  return join(store, 'tasks', `${hashText(taskId).slice(0, 32)}.json`);
}

async function readKept(path: string): Promise<KeptTask | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ReviewLoopError(nodeErrors.file_unreadable, `${path} cannot be read`, {
      cause: error,
      value: path,
    });
  }
  try {
    return KeptTaskSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ReviewLoopError(nodeErrors.file_unreadable, `${path} is no kept task`, {
      cause: error,
      value: path,
    });
  }
}
