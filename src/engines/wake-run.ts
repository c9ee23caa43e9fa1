import type { Driven } from './drive-run.js';
import { pauseBefore } from './wake.js';

/** What an engine does in one wake-up of a run, each in its own recorded way. */
export interface WakeSteps {
  /** Drives the run once. */
  drive(attempt: number): PromiseLike<Driven>;
  /** Waits. */
  sleep(ms: number): PromiseLike<unknown>;
  /** Wakes the run on another worker, after a moment. */
  handOn(): PromiseLike<unknown>;
  /** Wakes the run at a time, when its question has expired. */
  wakeAt(until: string): PromiseLike<unknown>;
}

/** Drives a run until it ends, waits for a person, or this worker stops. */
export async function wakeRun(steps: WakeSteps): Promise<Driven> {
  for (let attempt = 0; ; attempt += 1) {
    const driven = await steps.drive(attempt);
    if (driven.state === 'ended') return driven;
    if (driven.state === 'waiting') {
      if (driven.until !== undefined) await steps.wakeAt(driven.until);
      return driven;
    }
    if (driven.code === 'released') {
      await steps.handOn();
      return driven;
    }
    await steps.sleep(pauseBefore(attempt));
  }
}
