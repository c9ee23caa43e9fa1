import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { taskStatusLine } from '../task.js';
import { readTasks } from './read-tasks.js';
import type { taskStatusFlags } from './task-flags.js';

/** Shows the result of the last attempt at each task, and returns the exit code. */
export async function showTaskStatus(
  { io, store: { attempts } }: StoredCall,
  { tasks: file, format }: SettingsOf<typeof taskStatusFlags>,
): Promise<number> {
  const list = await readTasks(io.cwd, file);
  if (format === 'json') {
    const tasks = await Promise.all(
      list.map(async ({ id, name }) => ({ id, name, attempts: await attempts.of(id) })),
    );
    await io.out(`${terminalSafeJson({ schemaVersion: 1, tasks })}\n`);
    return 0;
  }
  for (const task of list)
    await io.out(`${sanitise(taskStatusLine(task, await attempts.last(task.id)))}\n`);
  return 0;
}
