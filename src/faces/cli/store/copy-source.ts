import { join } from 'node:path';
import { storeErrors } from '../../../adapters/stores/errors.js';
import { auditRecords } from '../../../adapters/stores/file/verify-audit.js';
import type { PostgresDatabase } from '../../../adapters/stores/postgres/postgres-database.js';
import {
  insertLessonLine,
  insertRecord,
} from '../../../adapters/stores/postgres/postgres-tables.js';
import { parseLine } from '../../../blocks/lessons/lesson-book.js';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { canonicalJson } from '../../../core/json.js';
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
import type { AuditRecord } from '../../../ports/audit-chain.js';
import type { JournalRecord, RunSummary, Store } from '../../../ports/store.js';
import { cliErrors } from '../../cli-kit/errors.js';
import type { StoreHandle, StoreTables } from '../../cli-kit/store-handle.js';

const atOnce = 8;

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
 * Copies all their records. What an earlier copy began is completed; a run that went on in the
 * other store stays as it is there.
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
    if (typeof state === 'string') await after(runId, state === 'copied');
    return state;
  };
  return counted(await mapBounded(await from.list(), atOnce, copy));
}

async function copyRun(runId: string, from: Store, to: Store): Promise<Copy> {
  const differs = { differs: `run ${runId}` };
  const records = (await from.read(runId)) ?? [];
  const known = (await to.read(runId)) ?? [];
  if (!isSame(records, known)) return differs;
  // the run went on in the other store
  if (known.length >= records.length) return 'there';
  const journal = await to.open(runId, true);
  try {
    if (journal.records.length !== known.length) return differs;
    for (const record of records.slice(known.length)) await journal.append(record);
  } finally {
    await journal.close();
  }
  return 'copied';
}

function isSame(one: readonly JournalRecord[], other: readonly JournalRecord[]): boolean {
  return one
    .slice(0, other.length)
    .every((record, index) => canonicalJson(record) === canonicalJson(other[index]));
}

const tables = ['reviews', 'assessments', 'gaps'];

export async function copyReviews(
  from: CopySource['reviews'],
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

/** One log must be the start of the other: two chains cannot become one. */
export async function auditGap(
  from: AuditLog,
  to: AuditLog,
): Promise<{ readonly missing: readonly AuditRecord[]; readonly there: number }> {
  const [source, target] = [await intactRecords(from), await intactRecords(to)];
  const there = Math.min(source.length, target.length);
  const other = source.slice(0, there).findIndex(({ hash }, at) => hash !== target[at]?.hash);
  if (other !== -1)
    throw new ReviewLoopError(
      cliErrors.store_differs,
      `the audit logs of ${from.auditPlace} and ${to.auditPlace} differ from record ${other + 1} on, ` +
        'and two chains cannot become one: nothing was copied',
      { value: other + 1 },
    );
  return { missing: source.slice(target.length), there };
}

type AuditLog = Pick<StoreHandle, 'verifyAudit' | 'auditPlace'>;

async function intactRecords(log: AuditLog): Promise<readonly AuditRecord[]> {
  const { intact, problems, records } = await auditRecords(log.verifyAudit);
  if (intact) return records;
  throw new ReviewLoopError(
    storeErrors.audit_corrupt,
    `the audit log in ${log.auditPlace} is not intact (${problems[0]?.what ?? ''}); ` +
      'see `reviewloop audit verify`: nothing was copied',
    { value: log.auditPlace },
  );
}

export async function copyAudit(
  { missing, there }: Awaited<ReturnType<typeof auditGap>>,
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
