import { type Clock, elapsedOn } from '../ports/clock.js';
import { type HeldLock, takeLock } from './lock.js';

/** How often a holder shows that it lives, and how long another one believes it. A holder that died is noticed at once. */
const heartbeat = { heartbeatMs: 5000, patienceMs: 60_000 };

/** Takes the lock of an existing folder, as soon as it is free; `undefined` when it was not for as long as that. */
export async function waitForLock(
  folder: string,
  { clock, waitMs }: { readonly clock: Clock; readonly waitMs: number },
): Promise<HeldLock | undefined> {
  const until = elapsedOn(clock) + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    const held = await takeLock(folder, { clock, ...heartbeat });
    if (held !== undefined) return held;
    if (elapsedOn(clock) >= until) return undefined;
    // processes that wait must not look at the same moments
    await new Promise<void>(
      (done) => void clock.after(2 + ((attempt * 13 + process.pid) % 37), done),
    );
  }
}
