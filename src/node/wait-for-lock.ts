import { dirname } from 'node:path';
import { type Clock, elapsedOn } from '../ports/clock.js';
import { type HeldLock, takeLock } from './lock.js';
import { makeStoreFolder } from './store-file.js';

/** How long to wait for a lock. */
export interface LockWait {
  readonly clock: Clock;
  /** Longest wait in milliseconds. */
  readonly waitMs: number;
}

/**
 * Heartbeat and lease timeout in milliseconds. The lock of a process that died is free immediately.
 */
const heartbeat = { heartbeatMs: 5000, patienceMs: 60_000 };

/** Waits for the lock of an existing folder; returns `undefined` after `waitMs` milliseconds. */
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

/**
 * Takes the lock of a folder, calls a function, and releases the lock. Creates the folder if it is
 * missing.
 *
 * @param wait - How long to wait, and the error to throw if the lock is still taken then.
 */
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
