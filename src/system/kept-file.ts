import { readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import { isMissing } from './durable.js';
import { makeFolder, writeFileAtomic } from './files.js';

/**
 * The text of a file; `undefined` where there is none.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function readKept(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ReviewLoopError('file_unreadable', `${path} cannot be read: ${messageOf(error)}`, { cause: error, value: path });
  }
}

/**
 * Writes a file whole or not at all, with the folders above it.
 *
 * @param earlier - Names what was there before; without it that is replaced.
 * @throws ReviewLoopError `output_unwritable`, `file_unreadable`
 */
export async function writeKept(path: string, text: string, earlier?: (number: number) => string): Promise<void> {
  await makeFolder(dirname(path));
  if (earlier !== undefined) {
    const before = await readKept(path);
    if (before === text) return;
    if (before !== undefined) await rename(path, await freeName(earlier));
  }
  await writeFileAtomic(path, text);
}

async function freeName(nameOf: (number: number) => string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = nameOf(number);
    const isFree = await stat(name).then(
      () => false,
      (error: unknown) => isMissing(error),
    );
    if (isFree) return name;
  }
}
