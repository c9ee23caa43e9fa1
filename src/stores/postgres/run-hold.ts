import { randomUUID } from 'node:crypto';
import { ReviewLoopError } from '../../core/errors.js';
import type { JournalRecord } from '../../ports/store.js';
import { storeErrors } from '../errors.js';

/** The hold of one writer on a run. Its token is random, so that no other writer is taken for it. */
export class RunHold {
  readonly runId: string;
  readonly token: string = randomUUID();
  /** Number of the writer, higher than that of every earlier one. */
  epoch = 0;
  /** How often the lease had been over when the database last said that the run is held. */
  gaps = 0;
  /** How many records the database has of this run. */
  written = 0;
  /** When the questions of the run expire, by their ids; in milliseconds since 1970. */
  readonly #expiry = new Map<string, number>();
  readonly #callbacks: ((error: ReviewLoopError) => void)[] = [];
  readonly #name: string;
  #lost: ReviewLoopError | undefined;

  constructor(runId: string, databaseName: string) {
    this.runId = runId;
    this.#name = databaseName;
  }

  /** The error of a run that another writer took over. */
  get lost(): ReviewLoopError | undefined {
    return this.#lost;
  }

  /** Calls back once, if another writer took over. */
  onLost(callback: (error: ReviewLoopError) => void): void {
    this.#callbacks.push(callback);
  }

  /** Notes that another writer took over, and returns the error about it. */
  fence(): ReviewLoopError {
    if (this.#lost !== undefined) return this.#lost;
    const error = new ReviewLoopError(
      storeErrors.journal_fenced,
      `cannot write run ${this.runId} in ${this.#name}: a writer after epoch ${this.epoch} took over`,
    );
    this.#lost = error;
    for (const callback of this.#callbacks.splice(0)) callback(error);
    return error;
  }

  /** Notes the questions in a record. */
  note(record: JournalRecord): void {
    if (record.type === 'request') {
      const expiresAt = Date.parse(record.request.expiresAt ?? '');
      if (!Number.isNaN(expiresAt)) this.#expiry.set(record.request.id, expiresAt);
    }
    if (record.type === 'answer') this.#expiry.delete(record.id);
  }

  /** Returns when the first question expires that a suspended run waits for; `null` for never. */
  dueAt(waits: readonly string[] | undefined): number | null {
    const due = [...this.#expiry].filter(([id]) => waits === undefined || waits.includes(id));
    return due.length === 0 ? null : Math.min(...due.map(([, at]) => at));
  }
}
