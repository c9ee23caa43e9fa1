import { readFile } from 'node:fs/promises';
import { extname, relative, resolve } from 'node:path';
import { unreadableFile } from '../../node/file-errors.js';
import type { GateJob } from '../gate-job.js';
import { jobIn } from './job-in.js';

/**
 * Loads a job file, YAML or JSON.
 *
 * @throws ReviewLoopError `file_unreadable`, `config_invalid` that names file, line and key
 */
export async function loadJob(cwd: string, file: string): Promise<GateJob> {
  const path = resolve(cwd, file);
  const shown = relative(cwd, path) || file;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadableFile(shown, error);
  });
  return jobIn(text, { shown, json: extname(path) === '.json' });
}
