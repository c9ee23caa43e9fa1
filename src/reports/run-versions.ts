import { join } from 'node:path';
import * as z from 'zod';
import { type Artifact, ArtifactSchema } from '../core/artifact.js';
import { insideFolder } from '../node/inside-root.js';
import type { StoreFiles } from '../node/store-file.js';

/** The content of the versions of a run, by digest. */
export type RunVersions = Readonly<Record<string, readonly Artifact[]>>;

/**
 * Stores the versions of a run unchanged, as its output is. Those that an earlier process stored
 * stay.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveVersions(
  files: StoreFiles,
  runId: string,
  versions: RunVersions,
): Promise<void> {
  const all = { ...(await readVersions(files, runId)), ...versions };
  await files.write(runPath(runId, 'versions.json'), `${JSON.stringify(all)}\n`);
}

/** Returns the stored versions of a run; none if they are missing or cannot be read. */
export async function readVersions(files: StoreFiles, runId: string): Promise<RunVersions> {
  try {
    const schema = z.record(z.string(), z.array(ArtifactSchema));
    return schema.parse(JSON.parse(await files.read(runPath(runId, 'versions.json'))));
  } catch {
    return {};
  }
}

/** Returns the path of a run in its store, or of one of its files. */
export function runPath(runId: string, name = ''): string {
  return join(insideFolder('runs', runId), name);
}
