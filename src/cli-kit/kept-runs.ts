import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditSink } from '../ports/audit-sink.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import { prepareStore } from '../reports/run-folder.js';
import {
  type AuditVerification,
  fileAudit,
  fileStore,
  fileVerdicts,
  type VerifyAuditOptions,
  verifyAudit,
} from '../stores/file/index.js';
import { sqliteStore } from '../stores/sqlite/index.js';

/** What the folder of reports beside a database is called after it; no other store may have a folder of such a name. */
export const databaseSuffix = '.sqlite-reports';

/** What a store of the command line keeps. */
export interface KeptRuns {
  readonly store: Store;
  readonly audit: AuditSink;
  readonly verdicts: VerdictStore;
  readonly verifyAudit: (options: VerifyAuditOptions) => Promise<AuditVerification>;
  /** Where the log of decisions is. */
  readonly auditPlace: string;
}

/** The database that a folder of reports stands beside; `undefined` for a store of files. */
export function databaseOf(folder: string): string | undefined {
  return folder.endsWith(databaseSuffix) ? folder.slice(0, -databaseSuffix.length) : undefined;
}

/** What is kept for a folder of reports: in the folder itself, or in the database that it stands beside. */
export function keptRuns(folder: string): KeptRuns {
  const database = databaseOf(folder);
  if (database === undefined) {
    const verdicts = fileVerdicts(join(folder, 'cache', 'verdicts'));
    return {
      store: fileStore(folder),
      audit: fileAudit(folder),
      verdicts,
      verifyAudit: (options) => verifyAudit(folder, options),
      auditPlace: join(folder, 'audit.jsonl'),
    };
  }
  const store = sqliteStore(database);
  // looking makes no database where there is none
  const verify: KeptRuns['verifyAudit'] = async (options) =>
    existsSync(database) ? store.verifyAudit(options) : verifyAudit(folder, options);
  return {
    store,
    audit: store.audit,
    verdicts: store.verdicts,
    verifyAudit: verify,
    auditPlace: database,
  };
}

/**
 * Makes what keeps runs; a database is looked into before any work is done for it.
 *
 * @throws ReviewLoopError `output_unwritable`, and what a database throws that cannot be used
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

/** What belongs to a store, and is never reviewed. */
export function ownPaths(folder: string): readonly string[] {
  const database = databaseOf(folder);
  return database === undefined
    ? [join(folder, 'runs')]
    : [folder, ...['', '-wal', '-shm', '-journal'].map((end) => `${database}${end}`)];
}
