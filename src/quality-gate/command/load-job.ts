import { relative, resolve } from 'node:path';
import type { GateJob } from '../gate-job.js';
import { readJob } from './job-in.js';

/**
 * Loads a job file, YAML or JSON.
 *
 * @throws ReviewLoopError `file_unreadable`, `file_too_large`, `config_invalid` that names file, line and key
 */
export async function loadJob(cwd: string, file: string): Promise<GateJob> {
  const path = resolve(cwd, file);
  const shown = relative(cwd, path) || file;
  return readJob(path, shown);
}
