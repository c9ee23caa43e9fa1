import { nodeErrors } from '../../../node/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { TableDatabase } from '../rows/table-database.js';
import {
  type ConnectionOptions,
  connect,
  type DatabaseFailure,
  databaseError,
  databaseName,
  isBusy,
  retryWhileBusy,
} from './connection.js';
import {
  closeDriver,
  prepareQuery,
  type SqliteDriver,
  type SqliteRow,
  type SqliteStatement,
  type SqliteValue,
  transaction,
} from './driver.js';

/** They are synchronous, so that nothing runs between them. */
export interface Tables {
  readonly run: (sql: string, ...values: SqliteValue[]) => number;
  readonly all: (sql: string, ...values: SqliteValue[]) => readonly SqliteRow[];
}

interface Waiting {
  readonly work: (tables: Tables) => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const unreadable: DatabaseFailure = { error: nodeErrors.file_unreadable, what: 'cannot be read' };
const unwritable: DatabaseFailure = { error: 'journal_write_failed', what: 'cannot be written' };
const refused: DatabaseFailure = { error: 'invalid_options', what: 'refused the statement' };

export class Database implements TableDatabase {
  readonly schema = 'main';
  readonly #options: ConnectionOptions;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #queries = new Map<string, ReturnType<typeof prepareQuery>>();
  #opened: Promise<SqliteDriver> | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get name(): string {
    return databaseName(this.#options);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** Reads in one transaction. */
  async read<Value>(work: (tables: Tables) => Value): Promise<Value> {
    const driver = await this.#open();
    return retryWhileBusy(this.#options, unreadable, () =>
      transaction(driver, 'BEGIN', () => work(this.#tables(driver))),
    );
  }

  /**
   * Writes in one transaction, completely or not at all. The write is durable when this resolves.
   */
  write<Value>(work: (tables: Tables) => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Returns the rows of one statement that changes nothing. */
  async query(sql: string, values: readonly SqliteValue[]): Promise<readonly SqliteRow[]> {
    const driver = await this.#open();
    return retryWhileBusy(this.#options, refused, () =>
      transaction(driver, 'BEGIN', () => {
        driver.exec('PRAGMA query_only = ON');
        try {
          return prepareQuery(driver, sql)(...values);
        } finally {
          driver.exec('PRAGMA query_only = OFF');
        }
      }),
    );
  }

  ask(sql: string, values: readonly SqliteValue[] = []): Promise<readonly SqliteRow[]> {
    const statement = inSqlite(sql, values);
    return this.read((tables) => tables.all(statement.sql, ...statement.values));
  }

  change(sql: string, values: readonly SqliteValue[] = []): Promise<number> {
    const statement = inSqlite(sql, values);
    return this.write((tables) => tables.run(statement.sql, ...statement.values));
  }

  /** Closes the file; the next use opens it again. A connection of the caller stays open. */
  async close(): Promise<void> {
    await this.#writing;
    const opened = this.#opened;
    this.#opened = undefined;
    this.#statements.clear();
    this.#queries.clear();
    if (typeof this.#options.place !== 'string') return;
    closeDriver(await opened?.catch(() => undefined));
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        const driver = await this.#open();
        await retryWhileBusy(this.#options, unwritable, () => this.#writeBatch(driver));
      } catch (error) {
        for (const { reject } of this.#waiting.splice(0)) reject(error);
      }
    }
    this.#writing = undefined;
  }

  /** Runs each piece of work in a savepoint. If it throws, only its changes are undone. */
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
          undo(tables, error);
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
    return {
      run: (sql, ...values) => {
        const statement = this.#statements.get(sql) ?? driver.prepare(sql);
        this.#statements.set(sql, statement);
        return Number(statement.run(...values).changes);
      },
      all: (sql, ...values) => {
        const query = this.#queries.get(sql) ?? prepareQuery(driver, sql);
        this.#queries.set(sql, query);
        return query(...values);
      },
    };
  }

  #open(): Promise<SqliteDriver> {
    this.#opened ??= connect(this.#options).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

/** SQLite takes the values in their order, without types. */
function inSqlite(
  sql: string,
  values: readonly SqliteValue[],
): { readonly sql: string; readonly values: readonly SqliteValue[] } {
  const given: SqliteValue[] = [];
  const text = sql.replace(/\$(\d+)(?:::\w+)?/g, (_, number: string) => {
    given.push(values[Number(number) - 1] ?? null);
    return '?';
  });
  return { sql: text, values: given };
}

/**
 * Other statements act outside of the database although nothing is written to it: ATTACH and VACUUM
 * INTO create files, PRAGMA changes settings.
 */
export function readsOnly(sql: string): boolean {
  const start = sql.replace(/^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '');
  return /^(?:select|with|values|explain)\b/i.test(start);
}

/** On a full disk, SQLite has already undone the whole transaction, which then fails. */
function undo(tables: Tables, error: unknown): void {
  if (isBusy(error)) throw error;
  try {
    tables.run('ROLLBACK TO one');
  } catch {
    throw error;
  }
}

export function insertRow(tables: Tables, table: string, row: SqliteRow, conflict = ''): void {
  tables.run(`INSERT INTO ${table} ${columnsOf(row)} ${conflict}`, ...Object.values(row));
}

export function replaceRow(tables: Tables, table: string, row: SqliteRow): void {
  tables.run(`INSERT OR REPLACE INTO ${table} ${columnsOf(row)}`, ...Object.values(row));
}

function columnsOf(row: SqliteRow): string {
  const names = Object.keys(row);
  return `(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
