import { join } from 'node:path';
import { pathsOf } from './run-paths.js';

/** Where the audit log of a store is. */
export interface AuditPaths {
  readonly log: string;
  /** A folder of its own, so that nothing that is locked is ever renamed. */
  readonly lock: string;
}

/** Where the audit log of a directory is. */
export function auditPathsOf(directory: string): AuditPaths {
  return { log: join(directory, 'audit.jsonl'), lock: join(directory, 'audit.lock') };
}

/** Where a run keeps the mark of its last record in the log. */
export function markPathOf(directory: string, runId: string): string {
  return join(pathsOf(directory, runId).folder, markName);
}

/** The name of a run's mark in its folder. */
export const markName = 'audit.json';
