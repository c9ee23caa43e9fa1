import { cliErrors } from '../../cli-kit/errors.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { AuditRecord } from '../../ports/audit-chain.js';
import { storeErrors } from '../../stores/errors.js';
import { insertRecord } from '../../stores/postgres/audit-table.js';
import type { PostgresDatabase } from '../../stores/postgres/postgres-database.js';
import type { Copied } from './copied.js';

/** The part of a log that the other store lacks. */
export interface AuditGap {
  readonly missing: readonly AuditRecord[];
  readonly there: number;
}

/**
 * Returns the records that the log of another store lacks. One log must be the start of the other:
 * two chains cannot become one.
 *
 * @throws ReviewLoopError `audit_corrupt`
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

/** Writes the missing records, exactly as they are. */
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
