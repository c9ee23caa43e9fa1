import { type FileHandle, link, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { type Clock, elapsedOn } from '../ports/clock.js';
import { isMissing, privateMode, randomHex, systemCode } from './durable.js';
import { readPlainText } from './plain-file.js';
import { isGone, processPlace } from './process-identity.js';
import { makeStoreFolder } from './store-file.js';

interface LockOptions {
  readonly clock: Clock;
  /** Interval between heartbeats, in milliseconds. */
  readonly heartbeatMs: number;
  /**
   * Lease timeout in milliseconds: another process may take over after that long without a
   * heartbeat.
   */
  readonly patienceMs: number;
}

export interface HeldLock {
  readonly epoch: number;
  readonly isHeld: () => Promise<boolean>;
  /** Calls back once, if a heartbeat finds that another process took over. */
  readonly onLost: (callback: () => void) => void;
  readonly release: () => Promise<void>;
}

const HolderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  epoch: z.number(),
  at: z.number(),
  released: z.number().optional(),
});

type Holder = z.infer<typeof HolderSchema>;

/**
 * Folders that this process locked. A busy process may miss its own heartbeat without losing them.
 */
const heldHere = new Set<string>();

/**
 * Takes the lock of an existing folder; returns `undefined` while another holder is alive.
 *
 * Each holder creates a complete, exclusive file `lock.<epoch>`, one above the highest. No holder
 * renames or writes the file of another one, and the highest file is never removed. So one of two
 * simultaneous attempts wins. A holder that finds a higher file has lost the lock, however long it
 * was frozen.
 */
export async function takeLock(
  folder: string,
  options: LockOptions,
): Promise<HeldLock | undefined> {
  const place = resolve(folder);
  if (heldHere.has(place)) return undefined;
  heldHere.add(place);
  try {
    const lock = await acquire(place, options);
    if (lock === undefined) heldHere.delete(place);
    return lock;
  } catch (error) {
    heldHere.delete(place);
    throw error;
  }
}

function isHeldHere(folder: string): boolean {
  return heldHere.has(resolve(folder));
}

/** 0 if there was no holder. */
export async function lastEpoch(folder: string): Promise<number> {
  return Math.max(0, ...(await epochs(folder)));
}

async function acquire(folder: string, options: LockOptions): Promise<HeldLock | undefined> {
  const last = await lastEpoch(folder);
  if (last > 0 && !(await isFree(lockFile(folder, last), options))) return undefined;
  const epoch = last + 1;
  const holder: Holder = { pid: process.pid, host: processPlace(), epoch, at: options.clock.now() };
  const handle = await createLockFile(lockFile(folder, epoch), {
    text: JSON.stringify(holder),
    at: holder.at,
  });
  if (handle === undefined) return undefined;
  const lock = heldLock({ folder, holder, handle, options });
  try {
    // another holder may have come and gone before the file was created
    if (await lock.isHeld()) {
      await removeBelow(folder, epoch);
      await sweepUnfinished(folder, { now: options.clock.now(), patienceMs: options.patienceMs });
      return lock;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
  await lock.release();
  return undefined;
}

function heldLock({
  folder,
  holder,
  handle,
  options,
}: {
  readonly folder: string;
  readonly holder: Holder;
  readonly handle: FileHandle;
  readonly options: LockOptions;
}): HeldLock {
  const { clock, heartbeatMs } = options;
  let released = false;
  let beating = Promise.resolve();
  let lost = (): void => {};
  const isHeld = async (): Promise<boolean> => {
    if (released || (await lastEpoch(folder)) !== holder.epoch) return false;
    return (await handle.stat()).nlink > 0;
  };
  const beat = async (): Promise<void> => {
    const now = clock.now() / 1000;
    // through the handle, which cannot touch the file of another holder
    await handle.utimes(now, now).catch(() => {});
    if (await isHeld().catch(() => true)) return;
    clearInterval(timer);
    if (!released) lost();
  };
  const timer = setInterval(() => {
    beating = beat();
  }, heartbeatMs).unref();
  return {
    epoch: holder.epoch,
    isHeld,
    onLost: (callback) => {
      lost = callback;
    },
    release: async () => {
      if (released) return;
      released = true;
      clearInterval(timer);
      await beating;
      // longer than the text it overwrites, so the file is complete at every moment
      await handle.write(JSON.stringify({ ...holder, released: clock.now() }), 0).catch(() => {});
      await handle.close().catch(() => {});
      heldHere.delete(folder);
    },
  };
}

/** Returns whether a holder released its lock file, died, or exceeded the lease timeout. */
async function isFree(path: string, { clock, patienceMs }: LockOptions): Promise<boolean> {
  try {
    const holder = parseHolder(await readPlainText(path));
    if (holder?.released !== undefined) return true;
    const here = holder?.host === processPlace();
    if (here && holder !== undefined && isGone(holder.pid)) return true;
    const { mtimeMs } = await stat(path);
    const silence = clock.now() - mtimeMs;
    if (silence >= -patienceMs && silence <= patienceMs) return false;
    if (here && silence > patienceMs) return true;
    // the clocks of two machines differ, or one was set back: wait for a heartbeat
    await new Promise<void>((done) => clock.after(patienceMs, done));
    return (await stat(path)).mtimeMs === mtimeMs;
  } catch (error) {
    // removed meanwhile, so another process was faster
    if (isMissing(error)) return false;
    throw error;
  }
}

/** `undefined` if a file without hard links is incomplete. */
function parseHolder(text: string): Holder | undefined {
  try {
    return HolderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Lowest first, so that each holder still finds a higher file. */
async function removeBelow(folder: string, epoch: number): Promise<void> {
  const earlier = (await epochs(folder)).filter((found) => found < epoch).sort((a, b) => a - b);
  for (const found of earlier) {
    try {
      await rm(lockFile(folder, found), { force: true });
    } catch {
      return;
    }
  }
}

async function epochs(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, digits] = /^lock\.([1-9]\d{0,14})$/.exec(name) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
}

function lockFile(folder: string, epoch: number): string {
  return join(folder, `lock.${epoch}`);
}

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
async function createLockFile(path: string, content: LockContent): Promise<FileHandle | undefined> {
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

/** Only the holder of the lock may call it, for files of killed processes. */
async function sweepUnfinished(
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

export interface LockWait {
  readonly clock: Clock;
  /** Longest wait in milliseconds. */
  readonly waitMs: number;
}

/**
 * Heartbeat and lease timeout in milliseconds. The lock of a process that died is free immediately.
 */
const heartbeat = { heartbeatMs: 5000, patienceMs: 60_000 };

/** Returns `undefined` after `waitMs`. */
export async function waitForLock(
  folder: string,
  { clock, waitMs }: LockWait,
): Promise<HeldLock | undefined> {
  const until = elapsedOn(clock) + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    const held = await takeLock(folder, { clock, ...heartbeat });
    if (held !== undefined) return held;
    if (elapsedOn(clock) >= until) return undefined;
    // spread the attempts of several waiting processes over time
    await new Promise<void>(
      (done) => void clock.after(2 + ((attempt * 13 + process.pid) % 37), done),
    );
  }
}

/** Creates the folder if it is missing. Throws `busy` if the lock is still taken after the wait. */
export async function withLock<Value>(
  folder: string,
  wait: LockWait & { readonly busy: () => Error },
  work: (lock: HeldLock) => Promise<Value>,
): Promise<Value> {
  await makeStoreFolder(dirname(folder), folder);
  const lock = await waitForLock(folder, wait);
  if (lock === undefined) throw wait.busy();
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

export interface LastHolder {
  readonly epoch: number;
  /** Whether it has the lock, gave it back, or died. */
  readonly state: 'held' | 'released' | 'gone';
  /** When it gave the lock back, in milliseconds since 1970. */
  readonly releasedAt?: number | undefined;
}

/** Does not take the lock. A holder on another machine counts as gone after the lease timeout. */
export async function lastHolder(
  folder: string,
  { clock, patienceMs }: Pick<LockOptions, 'clock' | 'patienceMs'>,
): Promise<LastHolder | undefined> {
  const epoch = await lastEpoch(folder);
  if (epoch === 0) return undefined;
  if (isHeldHere(folder)) return { epoch, state: 'held' };
  try {
    const path = lockFile(folder, epoch);
    const holder = parseHolder(await readPlainText(path));
    if (holder?.released !== undefined)
      return { epoch, state: 'released', releasedAt: holder.released };
    const isDead = holder?.host === processPlace() && isGone(holder.pid);
    const silence = Math.abs(clock.now() - (await stat(path)).mtimeMs);
    return { epoch, state: isDead || silence > patienceMs ? 'gone' : 'held' };
  } catch (error) {
    // removed meanwhile, so another process has it
    if (isMissing(error)) return { epoch, state: 'held' };
    throw error;
  }
}
