import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { fileState, unreadableFile } from './files.js';
import { nameIn, placeIn, type Root, rootOf } from './inside-root.js';
import { withTempFolder } from './temp-folder.js';

/** Copies of files that only the reviewer is told of. */
export interface CopiedFiles {
  readonly folder: string;
  readonly root: Root;
  /** Returns the name of the copy of a file, below the folder. */
  readonly nameOf: (path: string) => string;
  /** Returns a text about the copies as one about the files. */
  readonly told: (text: string) => string;
  /**
   * Returns whether the files and their copies are as they were when they were copied, and nobody
   * wrote to the files meanwhile, which a reviewer may know by other names.
   */
  readonly areUnchanged: () => Promise<boolean>;
}

/**
 * Only this user can open the folder. A reviewer that reads the copies reads what is judged,
 * whatever happens to the files meanwhile.
 */
export async function withCopies<Value>(
  paths: readonly string[],
  root: Root,
  work: (copies: CopiedFiles) => Promise<Value>,
): Promise<Value> {
  return withTempFolder(async (folder) => {
    const names = new Map<string, string>();
    const places: string[] = [];
    for (const [index, path] of [...new Set(paths)].entries()) {
      const place = placed(root, path);
      if (place === undefined) continue;
      const isOutside = place.name.startsWith('..') || isAbsolute(place.name);
      names.set(path, isOutside ? join(`_outside${index}`, basename(path)) : place.name);
      places.push(place.path);
    }
    const written = await writtenAt(places);
    for (const [index, name] of [...names.values()].entries())
      await copy(places[index] ?? '', join(folder, name));
    const inside = rootOf(folder, false);
    const copied = await contentOf([...names.values()], inside);
    return work({
      folder,
      root: inside,
      nameOf: (path) => names.get(path) ?? nameIn(root, path),
      told: (text) => text.replaceAll(`${folder}${sep}`, ''),
      areUnchanged: async () =>
        (await contentOf([...names.values()], inside)) === copied &&
        (await contentOf([...names.keys()], root)) === copied &&
        (await writtenAt(places)) === written,
    });
  });
}

/** `undefined` for a path that leads out, which `nameOf` refuses. */
function placed(root: Root, path: string): { name: string; path: string } | undefined {
  try {
    return { name: nameIn(root, path), path: placeIn(root, path).path };
  } catch {
    return undefined;
  }
}

/** What cannot be read cannot be read in the copy either. */
async function copy(from: string, to: string): Promise<void> {
  const stats = await stat(from).catch(() => undefined);
  if (stats === undefined) return;
  await mkdir(stats.isFile() ? dirname(to) : to, { recursive: true });
  if (stats.isFile()) await copyFile(from, to).catch(() => {});
}

/** A file that cannot be read has its own digest. */
async function contentOf(paths: readonly string[], root: Root): Promise<string> {
  const digests: string[] = [];
  for (const path of paths)
    digests.push(...(await digestFiles([path], root).catch(() => ['unreadable'])));
  return digests.join(' ');
}

/** The system keeps this time, also if the old content is back. */
async function writtenAt(places: readonly string[]): Promise<string> {
  const states: (string | undefined)[] = [];
  for (const place of places) states.push(await fileState(place));
  return states.join('\n');
}

/** Files may have any size; `missing` stands for a file that does not exist. */
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
