import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../../node/files.js';
import { earlierNameOf, folderNameOf } from './run-names.js';

export interface RunPaths {
  readonly folder: string;
  readonly journal: string;
  readonly blobs: string;
  /** Contains the id if the folder name is a hash. */
  readonly id: string;
}

export function runsFolder(directory: string): string {
  return join(directory, 'runs');
}

/** Returns the paths of a run. A run of an earlier version stays in its folder. */
export async function pathsOf(directory: string, runId: string): Promise<RunPaths> {
  const runs = runsFolder(directory);
  const [name, earlier] = [folderNameOf(runId), earlierNameOf(runId)];
  const hasMoved = name !== earlier && (await isThere(join(runs, earlier)));
  // only the list of the folder shows the case of a name
  const isEarlier = hasMoved && (await readdir(runs)).includes(earlier);
  return pathsIn(join(runs, isEarlier ? earlier : name));
}

export function pathsIn(folder: string): RunPaths {
  return {
    folder,
    journal: join(folder, 'journal.jsonl'),
    blobs: join(folder, 'blobs'),
    id: join(folder, 'run-id'),
  };
}
