import { relative, sep } from 'node:path';
import { type Mutex, mutex } from '../core/mutex.js';

/** The files of a folder that is not on this disk, such as rows of a table. Paths have `/`. */
export interface MountedFiles {
  /** Where they are, in messages. */
  readonly name: string;
  /** Returns the text of a file; `undefined` if there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Returns the texts of the files of one name in `runs`, by the folder of their run. */
  readonly readEach: (name: string) => Promise<ReadonlyMap<string, string>>;
  /** Writes a file whole, or not at all. */
  readonly write: (path: string, text: string) => Promise<void>;
  /** Returns the names of what is in a folder; none if there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Removes a file, or a folder with everything in it. */
  readonly remove: (path: string) => Promise<void>;
  /** Returns when a file was written, in milliseconds since 1970; `undefined` if there is none. */
  readonly changedAt: (path: string) => Promise<number | undefined>;
  /** Returns whether a process, on any machine, works on a run. */
  readonly isHeld: (runId: string) => Promise<boolean>;
}

export interface MountedPath {
  readonly files: MountedFiles;
  /** The path inside the folder, with `/`; '' for the folder itself. */
  readonly path: string;
}

const mounted = new Map<string, MountedFiles>();

/**
 * Makes the functions of `store-file` find the files of a folder elsewhere. Nothing is read from or
 * written to the disk in its place.
 *
 * @param folder - An absolute path, which need not exist.
 */
export function mountFolder(folder: string, files: MountedFiles): void {
  mounted.set(folder, files);
}

/** Returns the mounted folder that a path is in; `undefined` for a path on this disk. */
export function mountOf(path: string): MountedPath | undefined {
  for (const [folder, files] of mounted) {
    if (path === folder) return { files, path: '' };
    if (path.startsWith(`${folder}${sep}`))
      return { files, path: path.slice(folder.length + 1).replaceAll(sep, '/') };
  }
  return undefined;
}

/** Returns the name of a folder in messages: where its files are, or its path. */
export function placeName(folder: string): string {
  return mountOf(folder)?.files.name ?? folder;
}

/** Returns a path as messages show it: relative to a folder, or by the name of where it is. */
export function shownPath(from: string, path: string): string {
  const mount = mountOf(path);
  return mount === undefined ? relative(from, path) || path : mount.files.name;
}

const appending = new Map<string, Mutex>();
const pending = new Set<Promise<void>>();

/**
 * Appends to a file of a mounted folder, after all that was appended before. A text that cannot be
 * written is dropped; {@link settleMounts} waits for the others.
 */
export function appendToMount({ files, path }: MountedPath, text: string): void {
  const key = `${files.name} ${path}`;
  const turn = appending.get(key) ?? mutex();
  appending.set(key, turn);
  const work = turn(async () =>
    files.write(path, `${(await files.read(path)) ?? ''}${text}`),
  ).catch(() => {});
  pending.add(work);
  void work.finally(() => pending.delete(work));
}

/** Waits until all that was appended to mounted folders is written. */
export async function settleMounts(): Promise<void> {
  await Promise.all(pending);
}
