import { storeErrors } from '../../../adapters/stores/errors.js';
import { auditRecords } from '../../../adapters/stores/file/verify-audit.js';
import type { PostgresDatabase } from '../../../adapters/stores/postgres/postgres-database.js';
import { insertRecord } from '../../../adapters/stores/postgres/postgres-tables.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { canonicalJson } from '../../../core/json.js';
import { mapBounded } from '../../../core/map-bounded.js';
import type { AuditRecord } from '../../../ports/audit-chain.js';
import type { JournalRecord, RunSummary, Store } from '../../../ports/store.js';
import { cliErrors } from '../../cli-kit/errors.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { atOnce, type Copied, type Copy, type CopySource, counted } from './copy-source.js';

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
