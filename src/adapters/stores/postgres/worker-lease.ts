import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ReviewLoopError } from '../../../core/errors.js';
import { elapsedOn } from '../../../ports/clock.js';
import type { JournalRecord } from '../../../ports/store.js';
import { fenced } from '../stored-records.js';
import type { PostgresDatabase } from './postgres-database.js';

const beats = 4;

/** A time on both clocks: that of the system may jump, and the other one may stand still in a pause. */
interface Beat {
  readonly elapsed: number;
  readonly now: number;
}

const never: Beat = { elapsed: Number.NEGATIVE_INFINITY, now: Number.NEGATIVE_INFINITY };

/**
 * The lease of this process, for all runs and slots that it holds. Only the server's clock says
 * when it ends.
 */
export class WorkerLease {
  readonly #database: PostgresDatabase;
  readonly #leaseMs: number;
  readonly #holds = new Map<string, RunHold>();
  /** Tokens of holds that could not be given back yet. */
  readonly #kept = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #lastBeat = never;
  #gaps = 0;
  #count = 0;

  constructor(database: PostgresDatabase, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Returns once the lease is good for at least half of its time, and renews it from then on. */
  async enlist(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#tick(), this.#leaseMs / beats).unref();
    if (this.#silence() > this.#leaseMs / 2) await this.#beat();
  }

  /** How often the lease may have been over. Others may then have taken over. */
  get gaps(): number {
    return this.#gaps;
  }

  /**
   * Checks that no other process took over a hold. It asks the database only if the lease may have
   * been over since the last answer.
   */
  held(hold: RunHold): Promise<void> | undefined {
    if (hold.lost !== undefined) return Promise.reject(hold.lost);
    if (hold.gaps === this.#gaps && this.#silence() < this.#leaseMs) return undefined;
    return this.#askAbout(hold);
  }

  /** Watches a hold: if another process takes over, the hold is fenced. */
  watch(hold: RunHold): void {
    this.#holds.set(hold.token, hold);
  }

  async release(hold: RunHold): Promise<void> {
    this.#holds.delete(hold.token);
    this.#kept.add(hold.token);
    await this.#releaseKept();
  }

  forget(hold: RunHold): void {
    this.#holds.delete(hold.token);
  }

  /** Ends the lease. The next `enlist` begins another one. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#beating?.catch(() => {});
    if (this.#lastBeat === never) return;
    this.#lastBeat = never;
    const { schema: s, worker } = this.#database;
    // a run that is still open needs the row, to see that its process is gone
    await this.#database
      .ask(
        `WITH held AS (SELECT FROM ${s}.runs WHERE holder = $1 LIMIT 1),
         ended AS (UPDATE ${s}.workers SET lease_until = clock_timestamp() - interval '1 ms'
           WHERE id = $1 AND EXISTS (SELECT FROM held))
         DELETE FROM ${s}.workers WHERE id = $1 AND NOT EXISTS (SELECT FROM held)`,
        [worker],
      )
      .catch(() => {});
  }

  #silence(): number {
    const { elapsed, now } = this.#time();
    return Math.max(elapsed - this.#lastBeat.elapsed, now - this.#lastBeat.now);
  }

  #time(): Beat {
    const { clock } = this.#database;
    return { elapsed: elapsedOn(clock), now: clock.now() };
  }

  async #askAbout(hold: RunHold): Promise<void> {
    // from now on nobody can take over; whoever did so before is found
    await this.enlist();
    const gaps = this.#gaps;
    await this.#check([hold]);
    if (hold.lost !== undefined) throw hold.lost;
    hold.gaps = gaps;
  }

  async #tick(): Promise<void> {
    if (this.#beating !== undefined) return;
    const wasSilent = this.#silence() > this.#leaseMs;
    try {
      await this.#beat();
      this.#count += 1;
      if (wasSilent || this.#count % beats === 0) await this.#check([...this.#holds.values()]);
      if (this.#kept.size > 0) await this.#releaseKept();
    } catch {
      // the next beat tries again
    }
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#renew().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #renew(): Promise<void> {
    const { schema: s, worker } = this.#database;
    const begun = this.#time();
    await this.#database.ask(
      `INSERT INTO ${s}.workers (id, lease_until, host, pid)
       VALUES ($1, clock_timestamp() + $2::float8 * interval '1 ms', $3, $4::int)
       ON CONFLICT (id) DO UPDATE
         SET lease_until = clock_timestamp() + $2::float8 * interval '1 ms'`,
      [worker, this.#leaseMs, hostname(), process.pid],
    );
    // the server renewed it at some time until now
    if (this.#silence() >= this.#leaseMs) this.#gaps += 1;
    this.#lastBeat = begun;
  }

  async #check(holds: readonly RunHold[]): Promise<void> {
    if (holds.length === 0) return;
    const { schema: s } = this.#database;
    const given = holds.map(({ runId, token }) => ({ run_id: runId, token }));
    const rows = await this.#database.ask(
      `SELECT i.token FROM json_to_recordset($1::text::json) AS i(run_id text, token text)
       WHERE NOT EXISTS (
         SELECT FROM ${s}.runs r WHERE r.run_id = i.run_id AND r.token = i.token
       )`,
      [JSON.stringify(given)],
    );
    for (const { token } of rows) this.#holds.get(String(token))?.fence();
  }

  async #releaseKept(): Promise<void> {
    const { schema: s, worker } = this.#database;
    const tokens = [...this.#kept];
    await this.#database.ask(
      `UPDATE ${s}.runs SET holder = NULL, touched_at = clock_timestamp() WHERE holder = $1
         AND token IN (SELECT json_array_elements_text($2::text::json))`,
      [worker, JSON.stringify(tokens)],
    );
    for (const token of tokens) this.#kept.delete(token);
  }
}

/** Its token is random, so that no other writer is taken for it. */
export class RunHold {
  readonly runId: string;
  readonly token: string = randomUUID();
  epoch = 0;
  /** How often the lease had been over when the database last said that the run is held. */
  gaps = 0;
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

  get lost(): ReviewLoopError | undefined {
    return this.#lost;
  }

  /** Calls back once, if another writer took over. */
  onLost(callback: (error: ReviewLoopError) => void): void {
    this.#callbacks.push(callback);
  }

  fence(): ReviewLoopError {
    if (this.#lost !== undefined) return this.#lost;
    const error = fenced(`run ${this.runId} in ${this.#name}`, this.epoch);
    this.#lost = error;
    for (const callback of this.#callbacks.splice(0)) callback(error);
    return error;
  }

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
