import { join, resolve } from 'node:path';
import { openStores, type RunStores } from '../../cli-kit/run-stores.js';
import { openShared } from '../../cli-kit/shared-store.js';
import { databaseOf, sharedIn, storeFolder } from '../../cli-kit/store-folder.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { isThere } from '../../node/files.js';
import { listStoreFolder, readStoreFile } from '../../node/store-file.js';
import { sqliteStore } from '../../stores/sqlite/index.js';
import { TaskAttemptSchema } from '../../task-review/attempt-store.js';
import type { ReviewSource } from './copy-reviews.js';

/** What is copied from, with the lists that ports do not have. */
export interface CopySource {
  /** Stands for the store wherever a command takes a folder. */
  readonly folder: string;
  readonly stores: RunStores;
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
export async function copySource(cwd: string, given: string): Promise<CopySource> {
  const folder = resolve(cwd, storeFolder(given));
  const shared = sharedIn(folder);
  const database = databaseOf(folder);
  const place = database ?? folder;
  if (shared === undefined && !(await isThere(place)))
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `cannot copy from ${given}: there is no ${place}`,
      { value: given },
    );
  const lists =
    shared !== undefined
      ? listsOf(openShared(shared).store.query, { schema: 'reviewloop.', value: '$1' })
      : database !== undefined
        ? listsOf(sqliteStore(database).query, { schema: '', value: '?' })
        : listsIn(folder);
  return { folder, stores: openStores(folder), ...lists };
}

/** Returns the lists of a database. */
function listsOf(
  query: (
    sql: string,
    ...values: string[]
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>,
  { schema, value }: { readonly schema: string; readonly value: string },
): Lists {
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

function listsIn(folder: string): Lists {
  const names = (...parts: string[]): Promise<readonly string[]> =>
    listStoreFolder(join(folder, ...parts)).catch(() => []);
  return {
    reviews: async () => [],
    verdictKeys: async () =>
      (await names('cache', 'verdicts')).flatMap(
        (name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? [],
      ),
    lessonLines: async () => {
      const text = await readStoreFile(join(folder, 'lessons.jsonl')).catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
    taskIds: async () => {
      const found = new Set<string>();
      for (const task of await names('attempts'))
        for (const name of await names('attempts', task)) {
          const path = join(folder, 'attempts', task, name);
          const attempt = TaskAttemptSchema.safeParse(await readJson(path));
          if (attempt.success) found.add(attempt.data.taskId);
        }
      return [...found];
    },
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readStoreFile(path));
  } catch {
    return undefined;
  }
}
