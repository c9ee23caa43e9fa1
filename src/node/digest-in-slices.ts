import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from './errors.js';
import { placeIn, type Root } from './inside-root.js';

/**
 * The digests of files, one after another, whatever their size; `missing` where there is none.
 *
 * @throws ReviewLoopError `path_outside`, `file_unreadable`
 */
export async function digestsOfFiles(paths: readonly string[], root: Root): Promise<string[]> {
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
      if (!(await handle.stat()).isFile()) throw new Error('it is no ordinary file');
      for await (const chunk of handle.createReadStream({ autoClose: false }))
        hash.update(chunk as Buffer);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${shown} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: shown,
      },
    );
  }
  return hash.digest('hex');
}
