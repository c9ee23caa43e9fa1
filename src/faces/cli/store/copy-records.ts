import { join } from 'node:path';
import { storeErrors } from '../../../adapters/stores/errors.js';
import type { PostgresDatabase } from '../../../adapters/stores/postgres/postgres-database.js';
import { insertLessonLine, insertRecord } from '../../../adapters/stores/postgres/table-stores.js';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { canonicalJson } from '../../../core/json.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { nodeErrors } from '../../../node/errors.js';
import { isThere } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import type { AuditRecord } from '../../../ports/audit-chain.js';
import type { JournalRecord, RunSummary, Store } from '../../../ports/store.js';
import { parseLine } from '../../../products/lessons/lesson-book.js';
import {
  type AttemptStore,
  attemptKey,
  type TaskAttempt,
  TaskAttemptSchema,
} from '../../../products/task-review/attempt-store.js';
import { cliErrors } from '../../cli-kit/errors.js';
import type { StoreHandle, StoreTables } from '../../cli-kit/store-handle.js';

const atOnce = 8;

/** Checks that no process works on a run of a store. */
export async function refuseOpenRuns(store: Store): Promise<void> {
  for (const { runId, status } of await store.list()) {
    if (status !== 'running' && status !== 'suspended') continue;
    try {
      await (await store.open(runId, true)).close();
    } catch (error) {
      throw new ReviewLoopError(
        'run_busy',
        `run ${runId} is open in another process; let it end, then copy again: nothing was copied`,
        { cause: error, value: runId },
      );
    }
  }
}

/**
 * Copies runs with all their records. What an earlier copy began is completed; a run that went on
 * in the other store stays as it is there.
 *
 * @param after - Called for each run that the other store has now.
 */
export async function copyRuns(
  from: Store,
  to: Store,
  after: (runId: string, isCopied: boolean) => Promise<void>,
): Promise<Copied> {
  const copy = async ({ runId }: RunSummary): Promise<Copy> => {
    const state = await copyRun(runId, from, to);
    if (state === 'differs') return { differs: `run ${runId}` };
    await after(runId, state === 'copied');
    return state;
  };
  return counted(await mapBounded(await from.list(), atOnce, copy));
}

async function copyRun(
  runId: string,
  from: Store,
  to: Store,
): Promise<'copied' | 'there' | 'differs'> {
  const records = (await from.read(runId)) ?? [];
  const known = (await to.read(runId)) ?? [];
  if (!isSame(records, known)) return 'differs';
  // the run went on in the other store
  if (known.length >= records.length) return 'there';
  const journal = await to.open(runId, true);
  try {
    if (journal.records.length !== known.length) return 'differs';
    for (const record of records.slice(known.length)) await journal.append(record);
  } finally {
    await journal.close();
  }
  return 'copied';
}

function isSame(one: readonly JournalRecord[], other: readonly JournalRecord[]): boolean {
  const length = Math.min(one.length, other.length);
  return one
    .slice(0, length)
    .every((record, index) => canonicalJson(record) === canonicalJson(other[index]));
}

type ReviewSource = (
  table: string,
  runId: string,
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const tables = ['reviews', 'assessments', 'gaps'];

export async function copyReviews(
  from: ReviewSource,
  database: PostgresDatabase,
  runId: string,
): Promise<void> {
  const { schema } = database;
  for (const table of tables) {
    const rows = await from(table, runId);
    if (rows.length === 0) continue;
    await database.ask(
      `INSERT INTO ${schema}.${table}
       SELECT t.* FROM json_populate_recordset(NULL::${schema}.${table}, $1::text::json) t
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }
}

export interface AuditGap {
  readonly missing: readonly AuditRecord[];
  readonly there: number;
}

/**
 * Returns the records that the log of another store lacks. One log must be the start of the other:
 * two chains cannot become one.
 */
export async function auditGap(
  from: Pick<StoreHandle, 'verifyAudit' | 'auditPlace'>,
  to: Pick<StoreHandle, 'verifyAudit' | 'auditPlace'>,
): Promise<AuditGap> {
  const [source, target] = [await recordsOf(from), await recordsOf(to)];
  const length = Math.min(source.length, target.length);
  const other = source.slice(0, length).findIndex(({ hash }, at) => hash !== target[at]?.hash);
  if (other !== -1)
    throw new ReviewLoopError(
      cliErrors.store_differs,
      `the audit logs of ${from.auditPlace} and ${to.auditPlace} differ from record ${other + 1} on, ` +
        'and two chains cannot become one: nothing was copied',
      { value: other + 1 },
    );
  return { missing: source.slice(target.length), there: length };
}

async function recordsOf({
  verifyAudit,
  auditPlace,
}: Pick<StoreHandle, 'verifyAudit' | 'auditPlace'>): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  const { intact, problems } = await verifyAudit({
    onRecord: (record) => void records.push(record),
  });
  if (intact) return records;
  throw new ReviewLoopError(
    storeErrors.audit_corrupt,
    `the audit log in ${auditPlace} is not intact (${problems[0]?.what ?? ''}); ` +
      'see `reviewloop audit verify`: nothing was copied',
    { value: auditPlace },
  );
}

export async function copyAudit(
  { missing, there }: AuditGap,
  database: PostgresDatabase,
): Promise<Copied> {
  for (const record of missing)
    if (!(await insertRecord(database, record, record.hash)))
      throw new ReviewLoopError(
        cliErrors.store_differs,
        `somebody recorded a decision in ${database.name} while its log was copied; copy again`,
        { value: record.seq },
      );
  return { copied: missing.length, there, differ: [] };
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

export interface CopySource {
  readonly store: StoreHandle;
  readonly verdictKeys: () => Promise<readonly string[]>;
  readonly lessonLines: () => Promise<readonly string[]>;
  readonly taskIds: () => Promise<readonly string[]>;
  /** The rows about the reviews of a run; a folder has none. */
  readonly reviews: ReviewSource;
}

type Lists = Pick<CopySource, 'verdictKeys' | 'lessonLines' | 'taskIds' | 'reviews'>;

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
