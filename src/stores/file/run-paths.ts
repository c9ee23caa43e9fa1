import { join } from 'node:path';
import { folderNameOf } from './run-names.js';

/** Where the parts of one run are. */
export interface RunPaths {
  readonly folder: string;
  readonly journal: string;
  readonly blobs: string;
  /** Holds the id of a run whose folder name does not. */
  readonly id: string;
}

/** The folder of all runs. */
export function runsFolder(directory: string): string {
  return join(directory, 'runs');
}

/** Where a run is kept. */
export function pathsOf(directory: string, runId: string): RunPaths {
  return pathsIn(join(runsFolder(directory), folderNameOf(runId)));
}

/** The parts of a run's folder. */
export function pathsIn(folder: string): RunPaths {
  return {
    folder,
    journal: join(folder, 'journal.jsonl'),
    blobs: join(folder, 'blobs'),
    id: join(folder, 'run-id'),
  };
}
