import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../ports/clock.js';

export interface NextChangeOptions {
  readonly clock: Clock;
  /** How long nothing may change before the change counts as complete, in milliseconds. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until something changes in one of the folders, and then until nothing changes for a while.
 *
 * @returns False if the signal was aborted first.
 */
export function nextChange(
  folders: readonly string[],
  { clock, settleMs, signal }: NextChangeOptions,
): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const watchers: FSWatcher[] = [];
    let cancel = (): void => {};
    const end = (changed: boolean): void => {
      cancel();
      for (const watcher of watchers) watcher.close();
      signal.removeEventListener('abort', leave);
      resolve(changed);
    };
    const leave = (): void => end(false);
    const settle = (): void => {
      cancel();
      cancel = clock.after(settleMs, () => end(true));
    };
    signal.addEventListener('abort', leave, { once: true });
    for (const folder of new Set(folders)) {
      try {
        // a folder that is removed is a change
        watchers.push(watch(folder, settle).on('error', settle));
      } catch {
        settle();
      }
    }
  });
}
