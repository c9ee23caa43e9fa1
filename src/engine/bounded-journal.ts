import { isReviewError } from '../core/errors.js';
import type { Journal } from '../ports/store.js';
import { lastGrace, type RunEnd } from './run-result.js';

/**
 * Nobody waits for it beyond the end of the run. A store that does not answer gets no other call.
 */
export function boundedJournal(journal: Journal, end: RunEnd): Journal {
  return new BoundedJournal(journal, end);
}

/** A journal that opens too late is closed. */
export async function openedInTime(opening: Promise<Journal>, end: RunEnd): Promise<Journal> {
  try {
    return await end.over('opening the journal', opening);
  } catch (error) {
    opening.then(
      (journal) => journal.close(),
      () => {},
    );
    // a store that hangs after the run has ended is not why it ended
    throw isReviewError(error) && error.code === 'timeout' ? (end.error ?? error) : error;
  }
}

class BoundedJournal implements Journal {
  readonly #journal: Journal;
  readonly #end: RunEnd;
  /** The call that was open when the run ended; or that the store does not answer. */
  #late: Promise<void> | 'stuck' | undefined;
  readonly records: Journal['records'];

  constructor(journal: Journal, end: RunEnd) {
    this.#journal = journal;
    this.#end = end;
    this.records = journal.records;
  }

  get append(): Journal['append'] {
    return (record) => this.#call('writing the journal', () => this.#journal.append(record));
  }

  get review(): Journal['review'] {
    const { review } = this.#journal;
    return (
      review && ((told) => this.#call('storing a review', () => review.call(this.#journal, told)))
    );
  }

  get onLost(): Journal['onLost'] {
    return (callback) => this.#journal.onLost?.(callback);
  }

  /** Closes the journal; one that does not answer is closed without waiting. */
  get close(): Journal['close'] {
    return async () => {
      try {
        await this.#ready();
      } catch {
        Promise.resolve(this.#journal.close()).catch(() => {});
        return;
      }
      await this.#over('closing the journal', Promise.resolve(this.#journal.close()));
    };
  }

  #call(what: string, work: () => Promise<void> | void): Promise<void> | void {
    if (this.#late !== undefined) return this.#ready().then(() => this.#call(what, work));
    const working = work();
    return working === undefined ? undefined : this.#over(what, working);
  }

  async #ready(): Promise<void> {
    const late = this.#late;
    if (late === undefined) return;
    if (late === 'stuck') throw this.#end.error ?? new Error('the store does not answer');
    this.#late = 'stuck';
    await this.#end.over('the store', late, lastGrace);
    this.#late = undefined;
  }

  async #over(what: string, waiting: Promise<void>): Promise<void> {
    try {
      await this.#end.over(what, waiting);
    } catch (error) {
      this.#late = Promise.resolve(waiting).catch(() => {});
      throw error;
    }
  }
}
