import { stat } from 'node:fs/promises';
import { isMissing } from './durable.js';
import { isHeldHere, type LockOptions, lastEpoch, lockFile, parseHolder } from './lock.js';
import { readPlainText } from './plain-file.js';
import { isGone, processPlace } from './process-identity.js';

/** The last holder of a folder. */
export interface LastHolder {
  readonly epoch: number;
  /** Whether it has the lock, gave it back, or died. */
  readonly state: 'held' | 'released' | 'gone';
  /** When it gave the lock back, in milliseconds since 1970. */
  readonly releasedAt?: number | undefined;
}

/**
 * Returns who had the lock of a folder last, without taking it; `undefined` if nobody had. A holder
 * on another machine counts as gone after the lease timeout.
 */
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
