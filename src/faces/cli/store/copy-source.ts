import { join } from 'node:path';
import type { PostgresDatabase } from '../../../adapters/stores/postgres/postgres-database.js';
import { insertLessonLine } from '../../../adapters/stores/postgres/table-stores.js';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { nodeErrors } from '../../../node/errors.js';
import { isThere } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { parseLine } from '../../../products/lessons/lesson-book.js';
import {
  type AttemptStore,
  attemptKey,
  type TaskAttempt,
  TaskAttemptSchema,
} from '../../../products/task-review/attempt-store.js';
import type { StoreHandle, StoreTables } from '../../cli-kit/store-handle.js';

export const atOnce = 8;

/** How many of one kind were copied, and how many were there before. */
export interface Copied {
  readonly copied: number;
  readonly there: number;
  readonly differ: readonly string[];
}

/** What became of one value. */
export type Copy = 'copied' | 'there' | { readonly differs: string };

/** Copies the values of a kind, one after another. */
async function copyEach<Value>(
  values: readonly Value[],
  copy: (value: Value) => Promise<Copy>,
): Promise<Copied> {
  return counted(await mapBounded(values, 1, copy));
}

export function counted(copies: readonly Copy[]): Copied {
  const of = (state: Copy): number => copies.filter((copy) => copy === state).length;
  const differ = copies.flatMap((copy) => (typeof copy === 'object' ? [copy.differs] : []));
  return { copied: of('copied'), there: of('there'), differ };
}

interface Lists {
  readonly verdictKeys: () => Promise<readonly string[]>;
  readonly lessonLines: () => Promise<readonly string[]>;
  readonly taskIds: () => Promise<readonly string[]>;
  /** The rows about the reviews of a run; a folder has none. */
  readonly reviews: (
    table: string,
    runId: string,
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export interface CopySource extends Lists {
  readonly store: StoreHandle;
}

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
          const text = await files.read(join('attempts', task, name)).catch(() => '');
          const attempt = TaskAttemptSchema.safeParse(jsonIn(text));
          if (attempt.success) found.add(attempt.data.taskId);
        }
      return [...found];
    },
  };
}

/** Copies cached verdicts. One that cannot be read is left out: its judge is asked again. */
export async function copyVerdicts(
  { store, verdictKeys }: CopySource,
  { verdicts }: Pick<StoreHandle, 'verdicts'>,
): Promise<Copied> {
  return copyEach(await verdictKeys(), async (key) => {
    const verdict = await readable(() => store.verdicts.get(key));
    if (verdict === undefined) return { differs: `verdict ${key.slice(0, 16)} cannot be read` };
    if ((await readable(() => verdicts.get(key))) !== undefined) return 'there';
    await verdicts.put(key, verdict);
    return 'copied';
  });
}

/** Copies lessons; a line that is not one is left out. */
export async function copyLessons(
  { lessonLines }: CopySource,
  database: PostgresDatabase,
): Promise<Copied> {
  return copyEach(await lessonLines(), async (line) => {
    const record = parseLine(line);
    if ('error' in record) return { differs: `a lesson ${record.what}` };
    return (await insertLessonLine(database, { record, line })) ? 'copied' : 'there';
  });
}

export async function copyAttempts(
  { store, taskIds }: CopySource,
  { attempts }: Pick<StoreHandle, 'attempts'>,
): Promise<Copied> {
  const ids = await taskIds();
  const allOf = async (from: AttemptStore): Promise<TaskAttempt[]> =>
    (await mapBounded(ids, atOnce, (id) => from.of(id))).flat();
  const known = new Set((await allOf(attempts)).map(attemptKey));
  return copyEach(await allOf(store.attempts), async (attempt) => {
    if (known.has(attemptKey(attempt))) return 'there';
    await attempts.record(attempt);
    return 'copied';
  });
}

async function readable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isReviewError(error)) return undefined;
    throw error;
  }
}
