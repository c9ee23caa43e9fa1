import { type FileHandle, link, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { privateMode, randomHex, systemCode } from './durable.js';
import { isGone } from './process-identity.js';

export interface LockContent {
  readonly text: string;
  /** Time of the first heartbeat, in milliseconds since 1970. */
  readonly at: number;
}

/** Error codes of file systems without hard links. */
const unlinkable: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
]);

/** Name of a file that becomes a lock, with the process that creates it. */
const unfinished = /^lock\.[1-9]\d*\.(\d+)-[0-9a-f]{16}$/;

/**
 * Creates a lock file that is never incomplete, unless it exists. It writes the file under another
 * name and links it. Without hard links, it creates the file in place. If a process is killed
 * before it writes the content, its lock then lasts until the lease timeout.
 *
 * @returns The open file; `undefined` if another process was faster.
 */
export async function createLockFile(
  path: string,
  content: LockContent,
): Promise<FileHandle | undefined> {
  const own = `${path}.${process.pid}-${randomHex()}`;
  const handle = await createFilled(own, content);
  try {
    await link(own, path);
    return handle;
  } catch (error) {
    await handle.close();
    const code = systemCode(error);
    // the holder removed it, or created the same one
    if (code === 'ENOENT' || code === 'EEXIST') return undefined;
    if (unlinkable.has(code)) return await createInPlace(path, content);
    throw error;
  } finally {
    await rm(own, { force: true }).catch(() => {});
  }
}

/** Removes unfinished lock files of killed processes. Only the holder of the lock may call it. */
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
    return await createFilled(path, content);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** Creates a file with the content, and removes it if that fails. */
async function createFilled(path: string, { text, at }: LockContent): Promise<FileHandle> {
  const handle = await open(path, 'wx', privateMode);
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
