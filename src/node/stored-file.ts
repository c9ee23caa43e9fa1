import { constants } from 'node:fs';
import { copyFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { isMissing, systemCode } from './durable.js';
import { nodeErrors } from './errors.js';
import { systemReason, unreadableFile } from './file-errors.js';
import { makeFolder, writeFileAtomic } from './files.js';
import { readPlainText } from './plain-file.js';
import { makeIgnoredFolder } from './store-file.js';

/**
 * Reads the text of a file of a store; `undefined` if it does not exist. It follows no symbolic link.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function readStored(path: string): Promise<string | undefined> {
  try {
    return await readPlainText(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadableFile(path, error);
  }
}

/**
 * Reads the text of a file of a person, who may link to it; `undefined` if it does not exist.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function readLinked(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => path);
  return readStored(real);
}

/**
 * Writes a file completely or not at all, and creates the folders above it.
 *
 * @param earlier - Returns names for a copy of the old file. Without it, no copy is made.
 * @throws ReviewLoopError `output_unwritable`, `file_unreadable`
 */
export async function writeStored(
  path: string,
  text: string,
  earlier?: (number: number) => string,
): Promise<void> {
  await makeFolder(dirname(path));
  if (earlier !== undefined) {
    const before = await readStored(path);
    if (before === text) return;
    if (before !== undefined) await copyToFree(path, earlier);
  }
  await writeFileAtomic(path, text);
}

/** Writes a file like {@link writeStored}, and adds a `.gitignore` to a new or empty folder. */
export async function writeInIgnoredFolder(
  path: string,
  text: string,
  earlier?: (number: number) => string,
): Promise<void> {
  const folder = dirname(path);
  try {
    await makeIgnoredFolder(folder, folder);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot create the folder ${folder}: ${systemReason(error)}`,
      { cause: error, value: folder },
    );
  }
  await writeStored(path, text, earlier);
}

/** Copies a file to the first free name. Simultaneous copies get different names. */
async function copyToFree(path: string, nameOf: (number: number) => string): Promise<void> {
  for (let number = 1; ; number += 1) {
    try {
      return await copyFile(path, nameOf(number), constants.COPYFILE_EXCL);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST')
        throw new ReviewLoopError(
          nodeErrors.output_unwritable,
          `cannot copy ${path} to ${nameOf(number)}: ${systemReason(error)}`,
          { cause: error, value: path },
        );
    }
  }
}
