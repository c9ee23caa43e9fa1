import { join } from 'node:path';
import { folderNameOf } from './run-names.js';

/** The paths of one run. */
export interface RunPaths {
  readonly folder: string;
  readonly journal: string;
  readonly blobs: string;
  /** Contains the id if the folder name is a hash. */
  readonly id: string;
}

/** Returns the folder of all runs. */
export function runsFolder(directory: string): string {
  return join(directory, 'runs');
}

/** Returns the paths of a run. */
export function pathsOf(directory: string, runId: string): RunPaths {
  return pathsIn(join(runsFolder(directory), folderNameOf(runId)));
}

/** Returns the paths in the folder of a run. */
export function pathsIn(folder: string): RunPaths {
  return {
    folder,
    journal: join(folder, 'journal.jsonl'),
    blobs: join(folder, 'blobs'),
    id: join(folder, 'run-id'),
  };
}
