import { messageOf } from '../core/errors.js';
import { checkPositive } from '../core/options.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { type Logger, silentLogger } from '../ports/logger.js';

export interface SweepOptions {
  /** How often this worker looks for runs of dead workers, in milliseconds. @default 5000 */
  readonly sweepMs?: number | undefined;
  /** How long nothing was recorded before a sweep wakes a run, in milliseconds. @default 60000 */
  readonly lostAfterMs?: number | undefined;
  /** Receives a warning about each sweep that failed. @default silent */
  readonly logger?: Logger | undefined;
  /** Source of time. @default the system clock */
  readonly clock?: Clock | undefined;
}

/** The names of {@link SweepOptions}. */
export const sweepKeys = ['sweepMs', 'lostAfterMs', 'logger', 'clock'];

/** @throws ReviewLoopError `invalid_options` */
export function checkSweep({ sweepMs, lostAfterMs }: SweepOptions): void {
  checkPositive('sweepMs', sweepMs);
  checkPositive('lostAfterMs', lostAfterMs);
}

/**
 * Repeats a search for lost runs until it is stopped. A sweep that fails is logged, and the next
 * one tries again.
 */
export function sweeping(
  options: SweepOptions,
  work: (sweep: { readonly lostAfterMs: number; readonly now: number }) => Promise<void>,
): { readonly stop: () => Promise<void> } {
  const { sweepMs = 5000, lostAfterMs = 60_000 } = options;
  const { logger = silentLogger, clock = systemClock } = options;
  let isOver = false;
  let cancel = (): void => {};
  let current = Promise.resolve();
  const later = (): void => {
    if (isOver) return;
    cancel = clock.after(sweepMs, () => {
      current = work({ lostAfterMs, now: clock.now() })
        .catch((error: unknown) => logger.warn({ error: messageOf(error) }, 'a sweep failed'))
        .then(later);
    });
  };
  later();
  return {
    stop: async () => {
      isOver = true;
      cancel();
      await current;
    },
  };
}
