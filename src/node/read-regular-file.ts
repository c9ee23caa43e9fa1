import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isReviewError } from '../core/errors.js';
import { readTextFile } from './files.js';

/**
 * Returns the text of a file below a folder. Returns `undefined` if the file is missing, not text,
 * larger than `maxBytes` bytes, or behind a symbolic link.
 */
export async function readRegularFile(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const root = await realpath(folder);
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (
    real === undefined ||
    real !== join(root, ...path.split('/')) ||
    !real.startsWith(`${root}${sep}`)
  )
    return undefined;
  try {
    const found = await readTextFile(real, { maxBytes });
    return found.kind === 'text' ? found.text : undefined;
  } catch (error) {
    if (isReviewError(error)) return undefined;
    throw error;
  }
}
