import { constants } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { isMissing, systemCode } from './durable.js';
import { nodeErrors } from './errors.js';
import { makeFolder, writeFileAtomic } from './files.js';
import { makeOwnFolder } from './ignored-folder.js';

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
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${path} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: path,
      },
    );
  }
}

/**
 * Writes a file whole or not at all, with the folders above it.
 *
 * @param earlier - Names a copy of what was there before; without it that is replaced.
 * @throws ReviewLoopError `output_unwritable`, `file_unreadable`
 */
export async function writeKept(
  path: string,
  text: string,
  earlier?: (number: number) => string,
): Promise<void> {
  await makeFolder(dirname(path));
  if (earlier !== undefined) {
    const before = await readKept(path);
    if (before === text) return;
    if (before !== undefined) await copyToFree(path, earlier);
  }
  await writeFileAtomic(path, text);
}

/** The same, and where the folder is new or empty, it is kept out of version control. */
export async function writeInOwnFolder(
  path: string,
  text: string,
  earlier?: (number: number) => string,
): Promise<void> {
  const folder = dirname(path);
  try {
    await makeOwnFolder(folder, folder);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `the folder ${folder} cannot be made: ${messageOf(error)}`,
      { cause: error, value: folder },
    );
  }
  await writeKept(path, text, earlier);
}

/** Copies a file to the first name that is free; of two that do so at once, each gets a name of its own. */
async function copyToFree(path: string, nameOf: (number: number) => string): Promise<void> {
  for (let number = 1; ; number += 1) {
    try {
      return await copyFile(path, nameOf(number), constants.COPYFILE_EXCL);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST')
        throw new ReviewLoopError(
          nodeErrors.output_unwritable,
          `what stood in ${path} cannot be kept: ${messageOf(error)}`,
          { cause: error, value: path },
        );
    }
  }
}
