import type { ReviewLoopError } from '../../core/errors.js';
import type { Review } from '../../core/review.js';
import type { Journal, JournalRecord } from '../../ports/store.js';
import { journalClosed } from './stored-records.js';

export interface RunEntry<Body = string> {
  readonly record: JournalRecord;
  /** The number of records before it. */
  readonly n: number;
  readonly body: Body;
}

/** How one run is written into a store. */
export interface WritableRun<Body = string> {
  /** The name of the run in messages. */
  readonly place: string;
  /** Refuses a record that could not be read back: it would make the run unreadable. */
  readonly bodyOf: (record: JournalRecord) => Body;
  /** Writes after those before it, and nothing once one of them has failed. */
  readonly put: (entry: RunEntry<Body>) => Promise<void>;
  readonly review?: ((review: Review) => Promise<void>) | undefined;
  readonly onLost: NonNullable<Journal['onLost']>;
  readonly held?: Journal['held'];
  /** Lets others open the run, which has that many records. */
  readonly release: (records: number, isBroken: boolean) => Promise<void>;
}

export function runJournal<Body>(
  run: WritableRun<Body>,
  records: readonly JournalRecord[],
): Journal {
  const { place, review } = run;
  let count = records.length;
  // the first failure: nothing is written after it, so that the records have no gap
  let broken: unknown;
  let closed: Promise<void> | undefined;
  let writing = 0;
  let settle: (() => void) | undefined;
  const callbacks: ((error: ReviewLoopError) => void)[] = [];
  run.onLost((error) => {
    broken ??= error;
    for (const callback of callbacks) callback(error);
  });
  const write = async (work: () => Promise<void>): Promise<void> => {
    if (closed !== undefined) throw journalClosed(place);
    if (broken !== undefined) throw broken;
    writing += 1;
    try {
      await work();
    } catch (error) {
      broken ??= error;
      throw broken;
    } finally {
      writing -= 1;
      if (writing === 0) settle?.();
    }
  };
  const settled = async (): Promise<void> => {
    if (writing > 0) await new Promise<void>((resolve) => (settle = resolve));
  };
  return {
    records,
    append: async (record) => {
      const body = run.bodyOf(record);
      await write(() => {
        count += 1;
        return run.put({ record, n: count - 1, body });
      });
    },
    review: review && ((given) => write(() => review(given))),
    onLost: (callback) => void callbacks.push(callback),
    held: run.held,
    close: () => {
      closed ??= settled().then(() => run.release(count, broken !== undefined));
      return closed;
    },
  };
}
