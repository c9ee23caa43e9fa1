import * as z from 'zod';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import { RunJournal } from './journal.js';

/** What is done once after a run has ended. */
export interface OnceAfter<Value> {
  readonly store: Store;
  readonly clock: Clock;
  readonly runId: string;
  /** Unlike every name of the run's own steps. */
  readonly name: string;
  /** What it is done for; for another one it is done again. */
  readonly input: string;
  readonly schema: z.ZodType<Value>;
}

/** Does something once for an ended run: what it gives is recorded in the run's journal, and replayed when the run is gone on with. */
export async function onceAfter<Value>(
  { store, clock, runId, name, input, schema }: OnceAfter<Value>,
  work: () => Promise<Value>,
): Promise<Value> {
  const journal = new RunJournal(await store.open(runId, true));
  try {
    const recorded = journal.step(name, input);
    if (recorded !== undefined) return z.parse(schema, recorded.value);
    const value = z.parse(schema, await work());
    await journal.append({ type: 'step', name, input, value, at: clock.now() });
    return value;
  } finally {
    await journal.close();
  }
}
