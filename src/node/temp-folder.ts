import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from './errors.js';
import { insideFolder } from './safe-path.js';
import { inTemporaryFolder } from './temporary-folder.js';

/** Files in a folder of their own. */
export interface TempFolder {
  readonly path: string;
  /** The path of each file below the folder, with the path that it was given. */
  readonly places: ReadonlyMap<string, string>;
}

/**
 * Writes files into a new folder, lends it, and removes it, whatever happens. No path leads out of it: see `insideFolder`.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function withTempFolder<Value>(
  files: Readonly<Record<string, string>>,
  use: (folder: TempFolder) => Promise<Value>,
): Promise<Value> {
  return inTemporaryFolder(async (path) => {
    const places = new Map<string, string>();
    for (const [name, content] of Object.entries(files)) {
      const place = insideFolder(path, name);
      places.set(place.slice(path.length + 1), name);
      await write(place, name, content);
    }
    return use({ path, places });
  });
}

async function write(place: string, name: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `${name} cannot be written into a folder for the command: ${messageOf(error)}`,
      { cause: error, value: name },
    );
  }
}

/** The text of a file below a folder, up to a number of bytes; nothing where there is none or it is larger. */
export async function readReport(
  folder: string | undefined,
  name: string,
  mostBytes: number,
): Promise<string | undefined> {
  try {
    const bytes = await readFile(folder === undefined ? name : join(folder, name));
    return bytes.length > mostBytes ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}
