import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditSink } from '../ports/audit-sink.js';
import type { LessonStore } from '../ports/lesson-store.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import { prepareStore } from '../reports/run-folder.js';
import {
  type AuditVerification,
  fileAudit,
  fileLessons,
  fileStore,
  fileVerdicts,
  type VerifyAuditOptions,
  verifyAudit,
} from '../stores/file/index.js';
import { sqliteStore } from '../stores/sqlite/index.js';
import { databaseOf } from './database-of.js';

/** The stores that `--store` opens. */
export interface RunStores {
  readonly store: Store;
  readonly audit: AuditSink;
  readonly verdicts: VerdictStore;
  /** The lessons of `learn: true`. */
  readonly lessons: LessonStore;
  readonly verifyAudit: (options: VerifyAuditOptions) => Promise<AuditVerification>;
  /** The file or database that contains the log of decisions. */
  readonly auditPlace: string;
}

/** Most runs of the command line are reviewed once. */
const oneReview = { minReviews: 1 };

/** Opens the stores of a folder of reports: in the folder itself, or in the database next to it. */
export function openStores(folder: string): RunStores {
  const database = databaseOf(folder);
  if (database === undefined) {
    const verdicts = fileVerdicts(join(folder, 'cache', 'verdicts'));
    return {
      store: fileStore(folder),
      audit: fileAudit(folder),
      verdicts,
      lessons: fileLessons(join(folder, 'lessons.jsonl'), oneReview),
      verifyAudit: (options) => verifyAudit(folder, options),
      auditPlace: join(folder, 'audit.jsonl'),
    };
  }
  const store = sqliteStore(database, { lessons: oneReview });
  // reading must not create a database
  const verify: RunStores['verifyAudit'] = async (options) =>
    existsSync(database) ? store.verifyAudit(options) : verifyAudit(folder, options);
  return {
    store,
    audit: store.audit,
    verdicts: store.verdicts,
    lessons: store.lessons,
    verifyAudit: verify,
    auditPlace: database,
  };
}

/**
 * Creates the folder of runs. A database is opened first, so that an unusable one stops the command
 * before any work.
 *
 * @throws ReviewLoopError `output_unwritable`, and the errors of an unusable database
 */
export async function prepareRuns(folder: string): Promise<void> {
  const database = databaseOf(folder);
  if (database !== undefined) {
    const store = sqliteStore(database);
    await store.list({ status: 'running' });
    await store.close();
  }
  await prepareStore(folder);
}

/** The paths of a store, which are never reviewed. */
export function ownPaths(folder: string): readonly string[] {
  const database = databaseOf(folder);
  return database === undefined
    ? [join(folder, 'runs')]
    : [folder, ...['', '-wal', '-shm', '-journal'].map((end) => `${database}${end}`)];
}
