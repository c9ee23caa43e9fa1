import { messageOf } from '../../../core/errors.js';
import { type Clock, elapsedOn } from '../../../ports/clock.js';
import { type Logger, silentLogger } from '../../../ports/logger.js';
import {
  databaseBusy,
  databaseFailure,
  isTransient,
  missingRight,
  sqlStateOf,
} from './database-failures.js';
import { prepareSchema, quoted } from './migrations.js';
import { checkedAddress } from './postgres-address.js';
import {
  type OpenedClient,
  openAddress,
  type PostgresClient,
  type PostgresRow,
  type PostgresValue,
} from './postgres-client.js';

export interface DatabaseOptions {
  readonly place: string | PostgresClient;
  /** The name of the schema: letters, digits and `_`. */
  readonly schema: string;
  /** How long a statement is tried again while the database does not answer, in milliseconds. */
  readonly outageMs: number;
  /** Whether missing tables may be created. */
  readonly migrate: boolean;
  readonly worker: string;
  readonly connections: number;
  readonly clock: Clock;
  /** Hears of outages. @default silent */
  readonly logger?: Logger;
}

/** Most outages are over by then. */
const silentMs = 1000;

/**
 * A schema in a PostgreSQL database. Each statement is a transaction of its own, on any
 * connection, so that a pooler may stand between. A statement may run twice, if its answer is
 * lost: write it so that this does no harm.
 */
export class PostgresDatabase {
  readonly schema: string;
  readonly worker: string;
  /** The name of the database in messages; without a password. */
  readonly name: string;
  readonly clock: Clock;
  readonly #options: DatabaseOptions;
  #opened: Promise<OpenedClient> | undefined;
  #ready: Promise<void> | undefined;
  #isOutageTold = false;

  constructor(options: DatabaseOptions) {
    const { place, schema, worker, clock } = options;
    this.#options = options;
    this.schema = quoted(schema);
    this.worker = worker;
    this.clock = clock;
    const shown = typeof place === 'string' ? checkedAddress(place).shown : 'the database';
    this.name = `${shown}, schema ${schema}`;
  }

  /**
   * Runs one statement and returns its rows. The tables are there before the first one.
   *
   * @param sql - Names tables with {@link PostgresDatabase.schema}.
   */
  async ask(sql: string, values: readonly PostgresValue[] = []): Promise<readonly PostgresRow[]> {
    await this.migrate();
    return this.#ask(sql, values);
  }

  async change(sql: string, values: readonly PostgresValue[] = []): Promise<number> {
    return (await this.ask(`${sql} RETURNING 1`, values)).length;
  }

  /**
   * Creates the tables that are missing. Does nothing if all are there.
   *
   * @param allowed - Whether missing tables may be created. @default the option `migrate`
   */
  async migrate(allowed = this.#options.migrate): Promise<void> {
    this.#ready ??= prepareSchema({
      schema: this.#options.schema,
      migrate: allowed,
      name: this.name,
      ask: (sql) => this.#ask(sql, []),
    });
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  /** Closes the connections; the next use opens them again. A client of the caller stays open. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await (await opened?.catch(() => undefined))?.end();
  }

  /** Runs a statement until the database answers, for at most `outageMs`. */
  async #ask(sql: string, values: readonly PostgresValue[]): Promise<readonly PostgresRow[]> {
    const { clock, outageMs } = this.#options;
    const begun = elapsedOn(clock);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const rows = await this.#query(sql, values);
        this.#isOutageTold = false;
        return rows;
      } catch (error) {
        const lacks = await missingRight(sqlStateOf(error), this.schema, (text, given) =>
          this.#query(text, given),
        );
        if (lacks !== undefined || !isTransient(error))
          throw databaseFailure(this.name, error, lacks);
        const waited = elapsedOn(clock) - begun;
        if (waited >= outageMs) throw databaseBusy(this.name, Math.round(waited), error);
        this.#tellOutage(waited, error);
      }
      // spread the attempts of several waiting processes over time
      const wait =
        Math.min(1000, 20 * 2 ** Math.min(attempt, 6)) + ((attempt * 13 + process.pid) % 37);
      await new Promise<void>((done) => void clock.after(wait, done));
    }
  }

  /** Once for all statements that wait, until the database answers. */
  #tellOutage(waited: number, error: unknown): void {
    if (this.#isOutageTold || waited < silentMs) return;
    this.#isOutageTold = true;
    const { logger = silentLogger, outageMs } = this.#options;
    const again = `each statement is tried again for ${outageMs} ms`;
    logger.warn({}, `${this.name} does not answer (${messageOf(error)}); ${again}`);
  }

  async #query(sql: string, values: readonly PostgresValue[]): Promise<readonly PostgresRow[]> {
    const client = await this.#client();
    return (await client.query(sql, [...values])).rows;
  }

  #client(): PostgresClient | Promise<PostgresClient> {
    const { place, connections } = this.#options;
    if (typeof place !== 'string') return place;
    this.#opened ??= openAddress(place, connections).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}
