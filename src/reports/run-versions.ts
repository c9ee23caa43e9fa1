import { join } from 'node:path';
import * as z from 'zod';
import { type Artifact, ArtifactSchema } from '../core/artifact.js';
import { readStoreFile, writeInStore } from '../node/store-file.js';

/** The content of the versions of a run, by digest. */
export type RunVersions = Readonly<Record<string, readonly Artifact[]>>;

const fileName = 'versions.json';

/**
 * Stores the versions of a run in `place`, its folder in the store `folder`, unchanged, as its output is. Those that an earlier
 * process stored stay.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveVersions(
  folder: string,
  place: string,
  versions: RunVersions,
): Promise<void> {
  const all = { ...(await readVersions(place)), ...versions };
  await writeInStore(folder, join(place, fileName), `${JSON.stringify(all)}\n`);
}

/** Returns the stored versions of a run; none if they are missing or cannot be read. */
export async function readVersions(place: string): Promise<RunVersions> {
  try {
    const schema = z.record(z.string(), z.array(ArtifactSchema));
    return schema.parse(JSON.parse(await readStoreFile(join(place, fileName))));
  } catch {
    return {};
  }
}
