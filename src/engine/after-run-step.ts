import * as z from 'zod';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import { RunJournal } from './journal.js';

export interface OnceAfter<Value> {
  readonly store: Store;
  readonly clock: Clock;
  readonly runId: string;
  /** Must differ from the names of the run's steps. */
  readonly name: string;
  /** Another input makes the work run again. */
  readonly input: string;
  readonly schema: z.ZodType<Value>;
}

/** The run's journal records the result, and a continued run replays it. */
export async function onceAfter<Value>(
  { store, clock, runId, name, input, schema }: OnceAfter<Value>,
  work: () => Promise<Value>,
): Promise<Value> {
  const journal = new RunJournal(await store.open(runId, true));
  try {
    const recorded = journal.step(name, input);
    if (recorded !== undefined) return z.parse(schema, recorded.value);
    const value = z.parse(schema, await work());
    const { ended } = journal;
    await journal.append({ type: 'step', name, input, value, at: clock.now() });
    // stores read the status of a run from its last record; what it used is counted once
    if (ended !== undefined)
      await journal.append({
        type: 'end',
        status: ended.status,
        code: ended.code,
        at: clock.now(),
      });
    return value;
  } finally {
    await journal.close();
  }
}
