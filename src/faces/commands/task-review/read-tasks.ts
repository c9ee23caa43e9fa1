import { resolve } from 'node:path';
import { readText } from '../../../node/files.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { type ParsedTask, parseTasks } from '../../../products/task-review/parse-tasks.js';
import { taskStatusLine } from '../../../products/task-review/task.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import type { taskStatusFlags } from './task-flags.js';

const largest = 10_000_000;

export async function readTasks(cwd: string, file: string): Promise<ParsedTask[]> {
  return parseTasks(await readText(resolve(cwd, file), { shown: file, maxBytes: largest }));
}

export async function showTaskStatus(
  { io, store: { attempts } }: StoredCall,
  { tasks: file, format }: SettingsOf<typeof taskStatusFlags>,
): Promise<number> {
  const list = await readTasks(io.cwd, file);
  const tasks = await Promise.all(
    list.map(async ({ id, name }) => ({ id, name, attempts: await attempts.of(id) })),
  );
  const lines = tasks.map(({ id, attempts: all }) => sanitise(taskStatusLine({ id }, all.at(-1))));
  return tell(io, format, { data: { tasks }, lines });
}
