import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { copyFile, lstat, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { invalid } from '../core/options.js';
import { appendFlags, isMissing, makeFolders, privateMode, systemCode } from './durable.js';
import { nodeErrors } from './errors.js';
import { makeFolder, systemReason, unreadableFile, writeFileAtomic } from './files.js';
import { readPlainText } from './plain-file.js';

/** The files of a store: on this disk, or rows of a table. Paths are relative to the store. */
export interface StoreFiles {
  readonly name: string;
  readonly at: (path: string) => string;
  /** Returns a path relative to a folder; the name of the store if it is not on this disk. */
  readonly shown: (from: string, path?: string) => string;
  /** Creates the place of runs. */
  readonly prepare: () => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  /** Reads the files of one name of all runs at once, where that is one question. */
  readonly readEach?: ((name: string) => Promise<ReadonlyMap<string, string>>) | undefined;
  /** Writes a file whole, or not at all. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Appends to a file, after all that was appended before. A text that cannot be written is dropped. */
  readonly append: (path: string, text: string) => void;
  /** Lists the names in a folder. A missing one of this disk is an error, `ENOENT`; a link, `ELOOP`. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly remove: (path: string) => Promise<void>;
  /** Returns when a file was written, in milliseconds since 1970; `undefined` if there is none. */
  readonly changedAt: (path: string) => Promise<number | undefined>;
  readonly isHeld: (runId: string) => Promise<boolean>;
}

/** Links in the folder are not followed. */
export function folderFiles(folder: string): StoreFiles {
  const at = (path: string): string => join(folder, path);
  return {
    name: folder,
    at,
    shown: (from, path = '') => relative(from, at(path)) || at(path),
    prepare: () => prepareFolder(folder),
    read: (path) => readPlainText(at(path)),
    write: (path, text) => writeInStore(folder, at(path), text),
    append: (path, text) => appendTo(at(path), text),
    list: (path) => listFolder(at(path)),
    remove: (path) => rm(at(path), { recursive: true, force: true }),
    changedAt: (path) =>
      stat(at(path)).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      ),
    isHeld: async () => false,
  };
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    await makeIgnoredFolder(folder, join(folder, 'runs'));
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot create the folder ${folder}: ${messageOf(error)}`,
      { cause: error, value: folder },
    );
  }
}

async function listFolder(path: string): Promise<readonly string[]> {
  if (!(await lstat(path)).isSymbolicLink()) return readdir(path);
  throw Object.assign(new Error(`ELOOP: too many symbolic links encountered, scandir '${path}'`), {
    code: 'ELOOP',
  });
}

function appendTo(path: string, text: string): void {
  try {
    const handle = openSync(path, appendFlags, privateMode);
    writeSync(handle, text);
    closeSync(handle);
  } catch {
    // a full disk must not end a review
  }
}

/**
 * A symbolic link between the two, or in place of the path, would lead writes out of the folder.
 * The folder itself may be a link.
 */
export async function refuseLinks(folder: string, path: string): Promise<void> {
  let place = folder;
  for (const part of relative(folder, path).split(sep)) {
    place = join(place, part);
    // what cannot be seen cannot be written either, and the write says why
    const found = await lstat(place).catch(() => undefined);
    if (found === undefined) return;
    if (found.isSymbolicLink())
      throw new ReviewLoopError(
        nodeErrors.output_unwritable,
        `cannot write ${path}: ${place} is a symbolic link; remove it`,
        { value: place },
      );
  }
}

/**
 * Follows no symbolic links in the store.
 *
 * @returns The highest folder that was created; `undefined` if all existed.
 */
export async function makeStoreFolder(store: string, folder: string): Promise<string | undefined> {
  await refuseLinks(store, folder);
  return makeFolders(folder);
}

/** Completely or not at all, with the folders above it. Follows no symbolic link in the store. */
export async function writeInStore(store: string, path: string, text: string): Promise<void> {
  await refuseLinks(store, dirname(path));
  await makeFolder(dirname(path));
  await writeFileAtomic(path, text);
}

/**
 * Creates a folder inside `ours`. If `ours` was missing or empty, it gets a `.gitignore`, so that
 * git ignores it. Symbolic links between the two are refused.
 *
 * @returns The highest folder that was created; `undefined` if all existed.
 */
export async function makeIgnoredFolder(ours: string, folder: string): Promise<string | undefined> {
  const isNew = await readdir(ours).then(
    (names) => names.length === 0,
    () => true,
  );
  const made = await makeStoreFolder(ours, folder);
  if (isNew) await addGitignore(ours);
  return made;
}

/** Ignores everything in the folder. An existing file stays. */
export async function addGitignore(folder: string): Promise<void> {
  try {
    const handle = await open(join(folder, '.gitignore'), 'wx', privateMode);
    try {
      await handle.writeFile('*\n');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** `undefined` if the file does not exist. Follows no symbolic link. */
export async function readStored(path: string): Promise<string | undefined> {
  try {
    return await readPlainText(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadableFile(path, error);
  }
}

/** None if the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw unreadableFile(folder, error);
  });
}

/** For a file of a person, who may link to it; `undefined` if it does not exist. */
export async function readLinked(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => path);
  return readStored(real);
}

/**
 * Writes a file completely or not at all, and creates the folders above it.
 *
 * @param earlier - Returns names for a copy of the old file. Without it, no copy is made.
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

/** Adds a `.gitignore` to a new or empty folder. */
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

/** Simultaneous copies get different names. */
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

/** Checks the path of a folder, and returns it absolute. */
export function checkedFolder(directory: string): string {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  return resolve(directory);
}
