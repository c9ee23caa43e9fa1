import { join } from 'node:path';
import type { PostgresDatabase } from '../../../adapters/stores/postgres/postgres-database.js';
import { insertLessonLine } from '../../../adapters/stores/postgres/postgres-tables.js';
import { parseLine } from '../../../blocks/lessons/lesson-book.js';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { nodeErrors } from '../../../node/errors.js';
import { isThere } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import {
  type AttemptStore,
  attemptKey,
  type TaskAttempt,
  TaskAttemptSchema,
} from '../../../ports/attempt-store.js';
import type { StoreHandle, StoreTables } from '../../cli-kit/store-handle.js';

export const atOnce = 8;

/** `there` is how many were there before. */
export interface Copied {
  readonly copied: number;
  readonly there: number;
  readonly differ: readonly string[];
}

export type Copy = 'copied' | 'there' | { readonly differs: string };

export function counted(copies: readonly Copy[]): Copied {
  const of = (state: Copy): number => copies.filter((copy) => copy === state).length;
  const differ = copies.flatMap((copy) => (typeof copy === 'object' ? [copy.differs] : []));
  return { copied: of('copied'), there: of('there'), differ };
}

export interface CopySource {
  readonly store: StoreHandle;
  readonly verdictKeys: () => Promise<readonly string[]>;
  readonly lessonLines: () => Promise<readonly string[]>;
  readonly taskIds: () => Promise<readonly string[]>;
  /** The rows about the reviews of a run; a folder has none. */
  readonly reviews: (
    table: string,
    runId: string,
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

type Lists = Omit<CopySource, 'store'>;

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
      for (const one of await names('cache', 'verdicts'))
        for (const two of await names('cache', 'verdicts', one))
          found.push(...(await names('cache', 'verdicts', one, two)));
      return found.flatMap((name) => /^([0-9a-f]{64})\.json$/.exec(name)?.slice(1) ?? []);
    },
    lessonLines: async () => {
      const text = await files.read('lessons.jsonl').catch(() => '');
      return text.split('\n').filter(Boolean);
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

/** One that cannot be read is left out: its judge is asked again. */
export async function copyVerdicts(
  { store, verdictKeys }: CopySource,
  { verdicts }: Pick<StoreHandle, 'verdicts'>,
): Promise<Copied> {
  const copies = mapBounded(await verdictKeys(), 1, async (key): Promise<Copy> => {
    const verdict = await store.verdicts.get(key).catch(unreadable);
    if (verdict === undefined) return { differs: `verdict ${key.slice(0, 16)} cannot be read` };
    if ((await verdicts.get(key).catch(unreadable)) !== undefined) return 'there';
    await verdicts.put(key, verdict);
    return 'copied';
  });
  return counted(await copies);
}

function unreadable(error: unknown): undefined {
  if (!isReviewError(error)) throw error;
}

/** Lines that contain no lesson are left out. */
export async function copyLessons(
  { lessonLines }: CopySource,
  database: PostgresDatabase,
): Promise<Copied> {
  const copies = mapBounded(await lessonLines(), 1, async (line): Promise<Copy> => {
    const record = parseLine(line);
    if ('error' in record) return { differs: `a lesson ${record.what}` };
    return (await insertLessonLine(database, { record, line })) ? 'copied' : 'there';
  });
  return counted(await copies);
}

export async function copyAttempts(
  { store, taskIds }: CopySource,
  { attempts }: Pick<StoreHandle, 'attempts'>,
): Promise<Copied> {
  const ids = await taskIds();
  const allOf = async (from: AttemptStore): Promise<TaskAttempt[]> =>
    (await mapBounded(ids, atOnce, (id) => from.of(id))).flat();
  const known = new Set((await allOf(attempts)).map(attemptKey));
  const copies = mapBounded(await allOf(store.attempts), 1, async (attempt): Promise<Copy> => {
    if (known.has(attemptKey(attempt))) return 'there';
    await attempts.record(attempt);
    return 'copied';
  });
  return counted(await copies);
}
