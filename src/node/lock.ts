import { type FileHandle, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../ports/clock.js';
import { isMissing } from './durable.js';
import { createLockFile, sweepUnfinished } from './lock-file.js';
import { readPlainText } from './plain-file.js';
import { isGone, processPlace } from './process-identity.js';

/** Options of {@link takeLock}. */
export interface LockOptions {
  readonly clock: Clock;
  /** Interval between heartbeats, in milliseconds. */
  readonly heartbeatMs: number;
  /**
   * Lease timeout in milliseconds: another process may take over after that long without a
   * heartbeat.
   */
  readonly patienceMs: number;
}

/** A lock that this process has taken. */
export interface HeldLock {
  /** Number of this holder, higher than that of every earlier holder. */
  readonly epoch: number;
  /** Returns whether this process still has the lock. */
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

/** Returns whether this process has the lock of a folder. */
export function isHeldHere(folder: string): boolean {
  return heldHere.has(resolve(folder));
}

/** Returns the highest epoch of all holders of a folder; 0 if there was none. */
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

/** Returns the holder in a lock file; `undefined` if a file without hard links is incomplete. */
export function parseHolder(text: string): Holder | undefined {
  try {
    return HolderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Removes the files of earlier holders, lowest first, so that each holder still finds a higher
 * file.
 */
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

/** Returns the path of the lock file of a holder. */
export function lockFile(folder: string, epoch: number): string {
  return join(folder, `lock.${epoch}`);
}
