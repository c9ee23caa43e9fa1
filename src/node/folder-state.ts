import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../ports/clock.js';
import { digestOfBytes, isThere } from './files.js';
import { skippedFolders } from './list-files.js';

const mostFiles = 5000;

const mostFolders = 2000;

export interface FolderStateOptions {
  /** Returns the state of a file. @default its size, times and number */
  readonly stateOf?: ((place: string) => string) | undefined;
  /** Returns whether a file counts, by its name. @default every file counts */
  readonly counts?: ((name: string) => boolean) | undefined;
}

/** Each with its path, in the order of the paths. */
export function folderStates(
  folder: string,
  { stateOf = stampOf, counts = () => true }: FolderStateOptions = {},
): string[] {
  const found: string[] = [];
  const waiting = [''];
  for (let count = 0; waiting.length > 0; count += 1) {
    // what was not seen may change at any time
    if (count > mostFolders || found.length > mostFiles) return [`more, at ${systemClock.now()}`];
    const below = waiting.pop() ?? '';
    const pathOf = ({ name }: Dirent): string => (below === '' ? name : `${below}/${name}`);
    const entries = entriesOf(join(folder, below));
    waiting.push(...entries.filter((one) => one.isDirectory() && isSearched(one.name)).map(pathOf));
    const files = entries.filter((entry) => entry.isFile() && counts(entry.name)).map(pathOf);
    found.push(...files.map((path) => `${path} ${stateOf(join(folder, path))}`));
  }
  return found.sort();
}

export function isSearched(name: string): boolean {
  return !name.startsWith('.') && !skippedFolders.has(name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function stampOf(place: string): string {
  const stats = statSync(place, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`;
}

const mostDigests = 20_000;

/** Digests of files, by their place and stamp: an unchanged file is read once. */
const digests = new Map<string, string>();

export function contentState(mostBytes: number): (place: string) => string {
  const read = (place: string): string => {
    try {
      return statSync(place).size > mostBytes ? 'too large' : digestOfBytes(readFileSync(place));
    } catch {
      return 'unreadable';
    }
  };
  return (place) => {
    const key = `${place}\0${stampOf(place)}\0${mostBytes}`;
    const digest = digests.get(key) ?? read(place);
    if (digests.size >= mostDigests) digests.clear();
    digests.set(key, digest);
    return digest;
  };
}

/**
 * Returns a folder with all folders below it that are searched for files. For a file, or a path that
 * does not exist, it returns the folder above.
 */
export async function foldersOf(path: string): Promise<string[]> {
  const found = await foldersBelow(path);
  return found === undefined ? [dirname(path)] : [path, ...found];
}

export function repositoryAbove(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryAbove(above);
}

async function foldersBelow(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  const own = entries?.filter((entry) => entry.isDirectory() && !skippedFolders.has(entry.name));
  const all = own?.map(async ({ name }) => {
    const path = join(folder, name);
    return [path, ...((await foldersBelow(path)) ?? [])];
  });
  return all && (await Promise.all(all)).flat();
}

/**
 * Returns whether the file system finds a file by its name in other letter case.
 *
 * @param folder - A folder that contains the file.
 * @param name - A name with letters.
 */
export async function foldsCase(folder: string, name: string): Promise<boolean> {
  const other = [...name]
    .map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase()))
    .join('');
  if (other === name || !(await isThere(join(folder, other)))) return false;
  const names = await readdir(folder).catch((): string[] => []);
  return !names.includes(other);
}
