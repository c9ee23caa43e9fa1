import { type FileHandle, link, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex, systemCode } from './durable.js';
import { isGone } from './process-identity.js';

/** What a lock file is made with. */
export interface LockContent {
  readonly text: string;
  /** When its holder first shows that it lives. */
  readonly at: number;
}

/** What file systems answer that have no hard links. */
const unlinkable: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
]);

/** The file from which a lock is made, with the process that makes it. */
const unfinished = /^lock\.[1-9]\d*\.(\d+)-[0-9a-f]{16}$/;

/**
 * Makes a lock file that is whole from its first moment, unless there is one of that name: it is written under a name of its own
 * and linked to this one. Where the file system has no links it is made in its place, and a process that is killed before it has
 * filled it looks alive for as long as the patience of the others.
 *
 * @returns The open file; `undefined` when another was faster.
 */
export async function createLockFile(
  path: string,
  content: LockContent,
): Promise<FileHandle | undefined> {
  const own = `${path}.${process.pid}-${randomHex()}`;
  const handle = await filled(own, content);
  try {
    await link(own, path);
    return handle;
  } catch (error) {
    await handle.close();
    const code = systemCode(error);
    // the holder has swept it away, or made the same one
    if (code === 'ENOENT' || code === 'EEXIST') return undefined;
    if (unlinkable.has(code)) return await createInPlace(path, content);
    throw error;
  } finally {
    await rm(own, { force: true }).catch(() => {});
  }
}

/** Removes what processes have left behind that were killed while they made a lock. For the holder only. */
export async function sweepUnfinished(
  folder: string,
  { now, patienceMs }: { readonly now: number; readonly patienceMs: number },
): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = unfinished.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (isGone(Number(pid)) || Math.abs(now - mtimeMs) > patienceMs)
      await rm(path, { force: true }).catch(() => {});
  }
}

async function createInPlace(path: string, content: LockContent): Promise<FileHandle | undefined> {
  try {
    return await filled(path, content);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** A new file that holds it; nothing, where that fails. */
async function filled(path: string, { text, at }: LockContent): Promise<FileHandle> {
  const handle = await open(path, 'wx');
  try {
    await handle.write(text, 0);
    await handle.utimes(at / 1000, at / 1000);
    return handle;
  } catch (error) {
    await handle.close();
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}
