import type { AuditSink } from '../../../ports/audit-chain.js';
import type { VerifyAuditOptions } from '../file/verify-audit.js';
import type { PruneVerdictsOptions } from '../store-options.js';
import { attemptsIn } from './attempt-row.js';
import { verifyTable } from './audit-row.js';
import { type LessonTableOptions, lessonsIn } from './lesson-rows.js';
import type { TableDatabase } from './table-database.js';
import { pruneVerdictRows, verdictsIn } from './verdict-table.js';

export interface TableOptions extends LessonTableOptions {
  readonly audit: AuditSink;
}

/** Each store declares their types: one type of two entry points would be a name that all see. */
export function tableStores(database: TableDatabase, { audit, ...lessons }: TableOptions) {
  return {
    verdicts: verdictsIn(database),
    lessons: lessonsIn(database, lessons),
    audit,
    attempts: attemptsIn(database),
    verifyAudit: async (options: VerifyAuditOptions = {}) => verifyTable(database, options),
    pruneVerdicts: (options: PruneVerdictsOptions) => pruneVerdictRows(database, options),
  };
}
