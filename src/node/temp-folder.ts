import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from './errors.js';
import { systemReason } from './files.js';
import { insideFolder } from './inside-root.js';

export interface TempFolder {
  readonly path: string;
  readonly places: ReadonlyMap<string, string>;
}

export async function withTempFolder<Value>(
  work: (folder: string) => Promise<Value>,
): Promise<Value> {
  let folder: string;
  try {
    folder = await mkdtemp(join(tmpdir(), 'reviewloop-'));
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot create a folder in ${tmpdir()}: ${systemReason(error)}`,
      { cause: error },
    );
  }
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** `insideFolder` changes paths that lead out of the folder. */
export async function withTempFiles<Value>(
  files: Readonly<Record<string, string>>,
  work: (folder: TempFolder) => Promise<Value>,
): Promise<Value> {
  return withTempFolder(async (path) => {
    const places = new Map<string, string>();
    for (const [name, content] of Object.entries(files)) {
      const place = insideFolder(path, name);
      places.set(place.slice(path.length + 1), name);
      await write(place, name, content);
    }
    return work({ path, places });
  });
}

async function write(place: string, name: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot write ${name} into a temporary folder: ${systemReason(error)}`,
      { cause: error, value: name },
    );
  }
}
