import type { ChecklistStore } from '../../checklist-gate/checklist-store.js';
import type { LessonSettings, ReadableLessonStore } from '../../lessons/lesson-store.js';
import type { AuditSink } from '../../ports/audit-chain.js';
import type { Logger } from '../../ports/logger.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { AttemptStore } from '../../task-review/attempt-store.js';
import type { PruneVerdictsOptions } from '../file/prune-verdicts.js';
import {
  type AuditVerification,
  checkedVerification,
  type VerifyAuditOptions,
} from '../file/verify-audit.js';
import { attemptsIn } from '../rows/attempt-row.js';
import { lessonsIn } from '../rows/lesson-rows.js';
import { pruneVerdictRows, verdictsIn } from '../rows/verdict-table.js';
import { verifyTable } from '../rows/verify-rows.js';
import { auditIn } from './audit-table.js';
import { checklistsIn } from './checklist-table.js';
import type { PostgresDatabase } from './postgres-database.js';
import { insertLesson, writeAttempt } from './table-writes.js';

export interface TableStores {
  /** The verdict cache, for `verdicts` of a pipeline. */
  readonly verdicts: VerdictStore;
  /** Lessons, for `learn` of a pipeline. */
  readonly lessons: ReadableLessonStore;
  /** The audit log, for `audit` of a pipeline. */
  readonly audit: AuditSink;
  /** Attempts at tasks, for `attempts` of a `TaskReview`. */
  readonly attempts: AttemptStore;
  /** The states of checklists, for `store` of a `ChecklistGate`. */
  readonly checklist: ChecklistStore;
  /** Verifies that the audit log is unchanged, and that it contains all records that runs know. */
  readonly verifyAudit: (options?: VerifyAuditOptions) => Promise<AuditVerification>;
  /** Removes old verdicts and returns their number. */
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
}

/** Options of {@link tableStores}. */
export interface TableOptions {
  readonly lessons: LessonSettings;
  readonly logger: Logger;
  /** Keeps the checklists of one project apart from those of others. */
  readonly scope: string;
}

export function tableStores(
  database: PostgresDatabase,
  { lessons, logger, scope }: TableOptions,
): TableStores {
  return {
    verdicts: verdictsIn(database),
    lessons: lessonsIn(database, {
      settings: lessons,
      logger,
      insert: (row) => insertLesson(database, row),
    }),
    audit: auditIn(database),
    attempts: attemptsIn(database, (row) => writeAttempt(database, row)),
    checklist: checklistsIn(database, scope),
    verifyAudit: async (asked = {}) => verifyTable(database, checkedVerification(asked)),
    pruneVerdicts: (asked) => pruneVerdictRows(database, asked),
  };
}
