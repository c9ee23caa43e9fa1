import { join } from 'node:path';
import { mutex } from '@/core/mutex.js';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import { beginTask } from '@/faces/commands/task-review/begin-task.js';
import type {
  TaskRecord,
  TaskSettings,
  TasksRun,
} from '@/faces/commands/task-review/task-record.js';
import type { ParsedTask } from '@/products/task-review/parse-tasks.js';

/** Settings of a command that writes a file named after its task. */
export const settings: TaskSettings = {
  ...{ exec: 'cat > "$REVIEWLOOP_TASK_ID.txt"', testCommand: undefined, lintCommand: undefined },
  ...{ review: true, reviewPolicy: 'advisory', hitlReview: false, attempts: 1, commit: true },
  ...{ timeout: 60, allowEnv: [], provider: undefined, model: undefined, baseUrl: undefined },
  ...{
    contextTokens: undefined,
    structured: undefined,
    providerEnv: [],
    budgetTokens: undefined,
    budgetUsd: undefined,
  },
  learn: false,
};

/** A command that does all tasks of a list, in a folder with its own store. */
export function runOf(
  cwd: string,
  {
    settings: given = {},
    ...more
  }: Partial<Omit<TasksRun, 'settings'>> & {
    readonly settings?: Partial<TaskSettings>;
  } = {},
): TasksRun {
  return {
    ...{ tasks: 'tasks.md', chosen: 'all', parallel: 1, anew: false, tui: false },
    ...{ interactive: false, by: 'Ada', store: folderStore(join(cwd, '.reviewloop')), report: [] },
    ...{ format: 'text', quiet: false, again: (id) => `reviewloop tasks run --task ${id}` },
    ...more,
    settings: { ...settings, ...given },
  };
}

export const taskOf = (id: string, ...dependsOn: string[]): ParsedTask => ({
  ...{ id, name: `Do ${id}`, line: 1, checklist: [], dependsOn },
});

export const inTurn = mutex();

/** Begins a task as the command does. */
export const begun = (id: string, run: TasksRun, root: string): Promise<TaskRecord> =>
  beginTask(taskOf(id), run, { inTurn, root });
