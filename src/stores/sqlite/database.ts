import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type KnownError, ReviewLoopError } from '../../core/errors.js';
import { makeFolders } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { ignoreAll } from '../../node/ignored-folder.js';
import type { Clock } from '../../ports/clock.js';
import { databaseError, isBusy } from './database-errors.js';
import {
  findDriver,
  type OpenDriver,
  type SqliteDriver,
  type SqliteStatement,
  type SqliteValue,
} from './driver.js';
import { letGo } from './let-go.js';
import { migrate } from './migrations.js';

/** A row, by the names of its columns. */
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** What work on the database is done with. All of it is synchronous, so that nothing comes between. */
export interface Tables {
  /** @returns How many rows were changed. */
  readonly run: (sql: string, ...values: SqliteValue[]) => number;
  readonly all: (sql: string, ...values: SqliteValue[]) => readonly SqliteRow[];
}

/** Where a database is, and how long it is waited for. */
export interface DatabaseOptions {
  /** A file, or a connection that is the caller's. */
  readonly place: string | SqliteDriver;
  readonly busyTimeoutMs: number;
  readonly clock: Clock;
  /** @default what is installed */
  readonly find?: (() => Promise<OpenDriver>) | undefined;
}

interface Waiting {
  readonly work: (tables: Tables) => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Failure = { readonly error: KnownError; readonly what: string };

const unopened: Failure = { error: nodeErrors.output_unwritable, what: 'cannot be opened' };
const unreadable: Failure = { error: nodeErrors.file_unreadable, what: 'cannot be read' };
const unwritable: Failure = { error: 'journal_write_failed', what: 'cannot be written' };

const refused: Failure = { error: 'invalid_options', what: 'refused the statement' };

/** What the driver itself waits, which holds up the whole process; the rest is waited for between tries. */
const driverPatience = 20;

/** One connection to a database. What is to be written while a transaction is out goes into the next one, with one flush for all of it. */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #statements = new Map<string, SqliteStatement>();
  #opened: Promise<SqliteDriver> | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** What messages call it. */
  get name(): string {
    const { place } = this.#options;
    return typeof place === 'string' ? place : 'the database';
  }

  /**
   * Reads, in one transaction.
   *
   * @throws ReviewLoopError `store_busy`, `journal_corrupt`, `file_unreadable`, and those of opening
   */
  async read<Value>(work: (tables: Tables) => Value): Promise<Value> {
    const driver = await this.#open();
    return this.#patiently(unreadable, () =>
      transaction(driver, 'BEGIN', () => work(this.#tables(driver))),
    );
  }

  /**
   * Changes something: wholly and for good once this resolves, or not at all.
   *
   * @throws ReviewLoopError `store_busy`, `journal_corrupt`, `journal_write_failed`, what the work throws, and those of opening
   */
  write<Value>(work: (tables: Tables) => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /**
   * The rows of one statement that changes nothing.
   *
   * @throws ReviewLoopError `invalid_options` for another one, `store_busy`, `journal_corrupt`, and those of opening
   */
  async ask(sql: string, values: readonly SqliteValue[]): Promise<readonly SqliteRow[]> {
    const driver = await this.#open();
    return this.#patiently(refused, () =>
      transaction(driver, 'BEGIN', () => {
        driver.exec('PRAGMA query_only = ON');
        try {
          return driver.prepare(sql).all(...values) as readonly SqliteRow[];
        } finally {
          driver.exec('PRAGMA query_only = OFF');
        }
      }),
    );
  }

  /** Lets go of the file; what is used afterwards opens it again. A connection of the caller's stays open. */
  async close(): Promise<void> {
    await this.#writing;
    const opened = this.#opened;
    this.#opened = undefined;
    this.#statements.clear();
    if (typeof this.#options.place !== 'string') return;
    letGo(await opened?.catch(() => undefined));
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        const driver = await this.#open();
        await this.#patiently(unwritable, () => this.#writeBatch(driver));
      } catch (error) {
        for (const { reject } of this.#waiting.splice(0)) reject(error);
      }
    }
    this.#writing = undefined;
  }

  /** Each work has a savepoint of its own: one that throws takes back only what it did itself. */
  #writeBatch(driver: SqliteDriver): void {
    const answers: (() => void)[] = [];
    const batch = transaction(driver, 'BEGIN IMMEDIATE', () => {
      const taken = this.#waiting.slice();
      const tables = this.#tables(driver);
      for (const { work, resolve, reject } of taken) {
        tables.run('SAVEPOINT one');
        try {
          const value = work(tables) as never;
          answers.push(() => resolve(value));
        } catch (error) {
          takeBack(tables, error);
          answers.push(() => reject(databaseError(this.name, error, unwritable)));
        }
        tables.run('RELEASE one');
      }
      return taken.length;
    });
    this.#waiting.splice(0, batch);
    for (const answer of answers) answer();
  }

  #tables(driver: SqliteDriver): Tables {
    const prepared = (sql: string): SqliteStatement => {
      const known = this.#statements.get(sql) ?? driver.prepare(sql);
      this.#statements.set(sql, known);
      return known;
    };
    return {
      run: (sql, ...values) => Number(prepared(sql).run(...values).changes),
      // rows of other prototypes, as node:sqlite gives them, are plain ones to everybody else
      all: (sql, ...values) => prepared(sql).all(...values) as readonly SqliteRow[],
    };
  }

  async #patiently<Value>(failure: Failure, work: () => Value): Promise<Value> {
    const { clock, busyTimeoutMs } = this.#options;
    const until = clock.now() + busyTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || clock.now() >= until) throw databaseError(this.name, error, failure);
      }
      // processes that wait must not look at the same moments
      await new Promise<void>(
        (done) => void clock.after(2 + ((attempt * 13 + process.pid) % 37), done),
      );
    }
  }

  #open(): Promise<SqliteDriver> {
    this.#opened ??= this.#connect().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #connect(): Promise<SqliteDriver> {
    const { place, find = findDriver } = this.#options;
    if (typeof place !== 'string') return this.#prepared(place);
    const open = await find();
    try {
      await makePlace(place);
      const driver = await this.#patiently(unopened, () => open(place));
      return await this.#prepared(driver).catch((error: unknown) => {
        driver.close();
        throw error;
      });
    } catch (error) {
      throw databaseError(place, error, unopened);
    }
  }

  async #prepared(driver: SqliteDriver): Promise<SqliteDriver> {
    driver.exec(`PRAGMA busy_timeout = ${driverPatience}`);
    await this.#patiently(unopened, () => {
      // first of all a look into the file: what is none of ours stays as it is
      migrate(driver, this.name);
      driver.prepare('PRAGMA journal_mode = WAL').all();
      driver.exec('PRAGMA synchronous = FULL');
      driver.exec('PRAGMA fullfsync = ON');
    });
    return driver;
  }
}

/** Takes back what one work did; a full disk has taken back the whole transaction already, and then all of it has failed. */
function takeBack(tables: Tables, error: unknown): void {
  if (isBusy(error)) throw error;
  try {
    tables.run('ROLLBACK TO one');
  } catch {
    throw error;
  }
}

function transaction<Value>(driver: SqliteDriver, begin: string, work: () => Value): Value {
  driver.exec(begin);
  try {
    const value = work();
    driver.exec('COMMIT');
    return value;
  } catch (error) {
    try {
      driver.exec('ROLLBACK');
    } catch {
      // what broke may have rolled it back already; that error is the one to tell
    }
    throw error;
  }
}

async function makePlace(file: string): Promise<void> {
  const folder = dirname(file);
  if ((await makeFolders(folder)) === folder) await ignoreAll(folder);
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new ReviewLoopError(nodeErrors.output_unwritable, `${file} is no file`, { value: file });
}
