import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableLessonStore } from '../lessons/lesson-store.js';
import type { AuditSink } from '../ports/audit-sink.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import { prepareStore } from '../reports/run-folder.js';
import {
  type AuditVerification,
  fileAttempts,
  fileAudit,
  fileLessons,
  fileStore,
  fileVerdicts,
  type PruneOptions,
  type PruneVerdictsOptions,
  pruneRuns,
  pruneVerdicts,
  type VerifyAuditOptions,
  verifyAudit,
} from '../stores/file/index.js';
import type { SharedLimits } from '../stores/postgres/index.js';
import { sqliteStore } from '../stores/sqlite/index.js';
import type { AttemptStore } from '../task-review/attempt-store.js';
import { openShared } from './shared-store.js';
import { databaseOf, sharedIn } from './store-folder.js';

/** The stores that `--store` opens. */
export interface RunStores {
  readonly store: Store;
  readonly audit: AuditSink;
  readonly verdicts: VerdictStore;
  /** The lessons of `learn: true`. */
  readonly lessons: ReadableLessonStore;
  readonly verifyAudit: (options: VerifyAuditOptions) => Promise<AuditVerification>;
  /** The limits that all commands over the store share, if it can share them. */
  readonly limits?: Pick<SharedLimits, 'rateLimit' | 'spendingLimit'> | undefined;
  /** Attempts at tasks. */
  readonly attempts: AttemptStore;
  /** Removes ended runs, and returns their ids. */
  readonly prune: (options: PruneOptions) => Promise<readonly string[]>;
  /** Removes old verdicts, and returns their number. */
  readonly pruneVerdicts: (options: PruneVerdictsOptions) => Promise<number>;
  /** The file or database that contains the log of decisions. */
  readonly auditPlace: string;
}

/** Most runs of the command line are reviewed once. */
const oneReview = { minReviews: 1 };

/**
 * Opens the stores of a folder of reports: in the folder itself, in the database next to it, or in
 * the database that it stands for.
 */
export function openStores(folder: string): RunStores {
  const shared = sharedIn(folder);
  if (shared !== undefined) {
    const { store } = openShared(shared);
    return { ...store, store, limits: store, auditPlace: shared.name };
  }
  const database = databaseOf(folder);
  if (database === undefined) {
    const cache = join(folder, 'cache', 'verdicts');
    return {
      store: fileStore(folder),
      audit: fileAudit(folder),
      verdicts: fileVerdicts(cache),
      lessons: fileLessons(join(folder, 'lessons.jsonl'), oneReview),
      verifyAudit: (options) => verifyAudit(folder, options),
      attempts: fileAttempts(join(folder, 'attempts')),
      prune: (options) => pruneRuns(folder, options),
      pruneVerdicts: (options) => pruneVerdicts(cache, options),
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
    attempts: store.attempts,
    prune: store.prune,
    pruneVerdicts: store.pruneVerdicts,
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
  if (sharedIn(folder) !== undefined) return [];
  const database = databaseOf(folder);
  return database === undefined
    ? [join(folder, 'runs')]
    : [folder, ...['', '-wal', '-shm', '-journal'].map((end) => `${database}${end}`)];
}
