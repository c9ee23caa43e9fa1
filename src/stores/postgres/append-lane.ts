import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { storeErrors } from '../errors.js';
import { type AppendItem, appendRows } from './append-rows.js';
import { appendStatement } from './append-statement.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The most records of a statement, and the most characters in them. */
const mostItems = 2000;
const mostText = 4_000_000;

interface Waiting extends AppendItem {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The appends of all runs of this process. What arrives while a statement is on its way goes into
 * the next one together.
 */
export class AppendLane {
  readonly #database: PostgresDatabase;
  readonly #statement: string;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;

  constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#statement = appendStatement(database.schema);
  }

  /**
   * Writes a record, or gives the hold of a run back. Resolves when that is durable.
   *
   * @throws ReviewLoopError `journal_fenced`, `journal_write_failed`, `store_busy`, and errors of
   *   opening
   */
  put(item: AppendItem): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...item, resolve, reject });
      // what is appended without waiting goes together
      this.#sending ??= Promise.resolve().then(() => this.#sendAll());
    });
  }

  /** Returns when nothing waits. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, this.#next()));
    this.#sending = undefined;
  }

  /** Returns how many items go into the next statement: one writer of each run, and not too much. */
  #next(): number {
    const tokens = new Map<string, string>();
    let text = 0;
    const end = this.#waiting.findIndex(({ hold: { runId, token }, entry }, index) => {
      text += entry?.body.length ?? 0;
      const isOther = (tokens.get(runId) ?? token) !== token;
      tokens.set(runId, token);
      return index > 0 && (isOther || index >= mostItems || text > mostText);
    });
    return end === -1 ? this.#waiting.length : end;
  }

  async #send(items: readonly Waiting[]): Promise<void> {
    try {
      const { runs, records, steps, questions, answers } = appendRows(items);
      const values = [runs, records, steps, questions, answers].map((rows) => JSON.stringify(rows));
      const rows = await this.#database.ask(this.#statement, values);
      const written = new Set(rows.map(({ token }) => token));
      for (const item of items) settle(item, written.has(item.hold.token));
    } catch (error) {
      const runs = new Set(items.map(({ hold }) => hold.runId));
      if (runs.size === 1 || !isRefused(error)) {
        for (const { reject } of items) reject(writeFailed(this.#database.name, error));
        return;
      }
      // a record that the database refuses must not take other runs with it
      for (const runId of runs) await this.#send(items.filter(({ hold }) => hold.runId === runId));
    }
  }
}

function settle({ hold, entry, resolve, reject }: Waiting, isWritten: boolean): void {
  if (isWritten) {
    if (entry !== undefined) hold.written = entry.n + 1;
    resolve();
  } else reject(hold.fence());
}

function isRefused(error: unknown): boolean {
  return isReviewError(error) && error.code === storeErrors.store_unavailable.code;
}

/** Returns the error of a journal for an error of the database. */
export function writeFailed(name: string, error: unknown): unknown {
  if (isReviewError(error) && !isRefused(error)) return error;
  return new ReviewLoopError('journal_write_failed', `cannot write ${name}: ${messageOf(error)}`, {
    cause: error,
  });
}
