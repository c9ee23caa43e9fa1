import type { ReadableLessonStore } from '../../../blocks/lessons/lesson-store.js';
import type { AttemptStore } from '../../../ports/attempt-store.js';
import type { AuditSink } from '../../../ports/audit-chain.js';
import type { VerdictStore } from '../../../ports/verdict-store.js';
import type { AuditVerification, VerifyAuditOptions } from '../file/verify-audit.js';
import type { PruneVerdictsOptions } from '../store-options.js';
import { attemptsIn } from './attempt-row.js';
import { verifyTable } from './audit-row.js';
import { type LessonTableOptions, lessonsIn } from './lesson-rows.js';
import type { TableDatabase } from './table-database.js';
import { pruneVerdictRows, verdictsIn } from './verdict-table.js';

/** The stores in the tables that both databases have. */
export interface TableStores {
  /** The verdict cache, for `verdicts` of a pipeline. */
  readonly verdicts: VerdictStore;
  /** Lessons, for `learn` of a pipeline. */
  readonly lessons: ReadableLessonStore;
  /** The audit log, for `audit` of a pipeline. */
  readonly audit: AuditSink;
  /** Attempts at tasks, for `attempts` of a `TaskReview`. */
  readonly attempts: AttemptStore;
  /** Verifies that the audit log is unchanged, and that it contains all records that runs know. */
  readonly verifyAudit: (options?: VerifyAuditOptions) => Promise<AuditVerification>;
  /** Removes old verdicts and returns their number. */
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
}

export interface TableOptions extends LessonTableOptions {
  readonly audit: AuditSink;
}

export function tableStores(
  database: TableDatabase,
  { audit, ...lessons }: TableOptions,
): TableStores {
  return {
    verdicts: verdictsIn(database),
    lessons: lessonsIn(database, lessons),
    audit,
    attempts: attemptsIn(database),
    verifyAudit: async (options = {}) => verifyTable(database, options),
    pruneVerdicts: (options) => pruneVerdictRows(database, options),
  };
}
