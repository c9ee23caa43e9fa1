import { join } from 'node:path';
import { pathsOf } from './run-paths.js';

export interface AuditPaths {
  readonly log: string;
  /** A separate folder, because a locked file must never be renamed. */
  readonly lock: string;
}

/** Returns the paths of the audit log in a directory. */
export function auditPathsOf(directory: string): AuditPaths {
  return { log: join(directory, 'audit.jsonl'), lock: join(directory, 'audit.lock') };
}

/** Returns the path of the file with the mark of a run's last record in the log. */
export async function markPathOf(directory: string, runId: string): Promise<string> {
  return join((await pathsOf(directory, runId)).folder, markName);
}

/** The file name of a run's mark. */
export const markName = 'audit.json';
