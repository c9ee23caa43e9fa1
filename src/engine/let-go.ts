import type { Clock } from '../ports/clock.js';
import type { Run } from './run.js';

/** Lets go of a released run: it gets no end, and its call rejects. */
export async function letGo(run: Run, clock: Clock, error: unknown): Promise<void> {
  for (const [name, usage] of run.ledger.unwritten)
    await run.journal?.append({
      type: 'attempt',
      name,
      input: '',
      code: 'released',
      message: 'reported outside of a recorded step before the run was released',
      usage,
      at: clock.now(),
    });
  run.interrupt = error;
}
