import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { unreadableFile } from './file-errors.js';
import { placeIn, type Root } from './inside-root.js';

/**
 * Returns the SHA-256 digests of files of any size; `missing` for a file that does not exist.
 *
 * @throws ReviewLoopError `path_outside`, `file_unreadable`
 */
export async function digestFiles(paths: readonly string[], root: Root): Promise<string[]> {
  const digests: string[] = [];
  for (const path of paths) {
    const place = placeIn(root, path);
    digests.push(place.exists ? await digestOf(place.path, path) : 'missing');
  }
  return digests;
}

async function digestOf(path: string, shown: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) throw new Error('it is not a regular file');
      for await (const chunk of handle.createReadStream({ autoClose: false }))
        hash.update(chunk as Buffer);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadableFile(shown, error);
  }
  return hash.digest('hex');
}
