import { join } from 'node:path';
import type { StoreHandle, StoreTables } from '../../cli-kit/store-handle.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { isThere } from '../../node/files.js';
import type { StoreFiles } from '../../node/store-file.js';
import { TaskAttemptSchema } from '../../task-review/attempt-store.js';
import type { ReviewSource } from './copy-reviews.js';

/** What is copied from, with the lists that ports do not have. */
export interface CopySource {
  readonly store: StoreHandle;
  readonly verdictKeys: () => Promise<readonly string[]>;
  /** The lines of all lessons, oldest first. */
  readonly lessonLines: () => Promise<readonly string[]>;
  /** The ids of all tasks with an attempt. */
  readonly taskIds: () => Promise<readonly string[]>;
  /** The rows about the reviews of a run; a folder has none. */
  readonly reviews: ReviewSource;
}

type Lists = Pick<CopySource, 'verdictKeys' | 'lessonLines' | 'taskIds' | 'reviews'>;

/**
 * Returns the store that a copy reads.
 *
 * @throws ReviewLoopError `file_unreadable` if it does not exist
 */
export async function copySource(store: StoreHandle): Promise<CopySource> {
  const { tables, folder, file: place = folder } = store;
  if (place !== undefined && !(await isThere(place)))
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `cannot copy from ${store.text}: there is no ${place}`,
      { value: store.text },
    );
  return { store, ...(tables === undefined ? listsIn(store.files) : listsOf(tables)) };
}

function listsOf({ query, schema, value }: StoreTables): Lists {
  const column = async (sql: string): Promise<string[]> =>
    (await query(sql)).map((row) => String(row['value']));
  return {
    verdictKeys: () => column(`SELECT key AS value FROM ${schema}verdicts ORDER BY key`),
    lessonLines: () => column(`SELECT line AS value FROM ${schema}lessons ORDER BY id`),
    taskIds: () => column(`SELECT DISTINCT task_id AS value FROM ${schema}attempts ORDER BY 1`),
    reviews: (table, runId) =>
      query(`SELECT * FROM ${schema}${table} WHERE run_id = ${value}`, runId),
  };
}

function listsIn(files: StoreFiles): Lists {
  const names = (...parts: string[]): Promise<readonly string[]> =>
    files.list(join(...parts)).catch(() => []);
  return {
    reviews: async () => [],
    verdictKeys: async () => {
      const found: string[] = [];
      for (const first of await names('cache', 'verdicts'))
        for (const second of await names('cache', 'verdicts', first))
          for (const name of await names('cache', 'verdicts', first, second))
            found.push(...(/^([0-9a-f]{64})(?=\.json$)/.exec(name)?.slice(1) ?? []));
      return found;
    },
    lessonLines: async () => {
      const text = await files.read('lessons.jsonl').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
    taskIds: async () => {
      const found = new Set<string>();
      for (const task of await names('attempts'))
        for (const name of await names('attempts', task)) {
          const path = join('attempts', task, name);
          const attempt = TaskAttemptSchema.safeParse(await readJson(files, path));
          if (attempt.success) found.add(attempt.data.taskId);
        }
      return [...found];
    },
  };
}

async function readJson(files: StoreFiles, path: string): Promise<unknown> {
  try {
    return JSON.parse(await files.read(path));
  } catch {
    return undefined;
  }
}
