import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ReviewLoopError } from '../../../core/errors.js';
import { isGone, processPlace } from '../../../node/process-identity.js';
import type { Clock } from '../../../ports/clock.js';
import { fenced, runBusy } from '../stored-records.js';
import { type Database, replaceRow, type Tables } from './database.js';

export interface Lease {
  readonly clock: Clock;
  /** Its timeout: another process may take over after that long without a heartbeat. */
  readonly patienceMs: number;
}

export interface WriterOptions extends Lease {
  readonly database: Database;
  readonly heartbeatMs: number;
}

const HolderSchema = z.object({
  epoch: z.number(),
  holder: z.string(),
  pid: z.number(),
  place: z.string(),
  beat_at: z.number(),
  released_at: z.number().nullable(),
});
type Holder = z.infer<typeof HolderSchema>;

/** A busy process may miss its own heartbeat without losing a run. */
const heldHere = new Set<string>();

/**
 * The only writer of a run. Each writer has a higher epoch than the one before. Each transaction
 * checks the epoch.
 */
export class RunWriter {
  readonly epoch: number;
  readonly #options: WriterOptions;
  readonly #runId: string;
  readonly #holder: string;
  readonly #timer: NodeJS.Timeout;
  #released = false;
  #lost: () => void = () => {};

  private constructor(
    options: WriterOptions,
    runId: string,
    { epoch, holder }: { readonly epoch: number; readonly holder: string },
  ) {
    this.#options = options;
    this.#runId = runId;
    this.epoch = epoch;
    this.#holder = holder;
    heldHere.add(holder);
    this.#timer = setInterval(() => void this.#beat(), options.heartbeatMs).unref();
  }

  /**
   * Becomes the writer of a run if it has none.
   *
   * @param then - A function that reads in the same transaction.
   */
  static async take<Value>(
    options: WriterOptions,
    runId: string,
    then: (tables: Tables) => Value,
  ): Promise<{ readonly writer: RunWriter; readonly value: Value }> {
    const holder = randomUUID();
    const tryOnce = (watched?: Holder) =>
      options.database.write((tables) => {
        const before = holderOf(tables, runId);
        const state = before === undefined ? 'free' : stateOf(before, options, watched);
        if (state !== 'free') return { state, before } as const;
        const epoch = (before?.epoch ?? 0) + 1;
        replaceRow(tables, 'writers', {
          run_id: runId,
          epoch,
          holder,
          pid: process.pid,
          place: processPlace(),
          beat_at: options.clock.now(),
        });
        return { state, epoch, value: then(tables) } as const;
      });
    let tried = await tryOnce();
    if (tried.state === 'watch') {
      // the clocks of two machines differ, or one was set back: wait for a heartbeat
      await new Promise<void>((done) => options.clock.after(options.patienceMs, done));
      tried = await tryOnce(tried.before);
    }
    if (tried.state !== 'free') throw runBusy(runId, options.database.name);
    return {
      writer: new RunWriter(options, runId, { epoch: tried.epoch, holder }),
      value: tried.value,
    };
  }

  check(tables: Tables): void {
    if (this.#released || holderOf(tables, this.#runId)?.holder !== this.#holder)
      throw this.fenced();
  }

  fenced(): ReviewLoopError {
    return fenced(`run ${this.#runId} in ${this.#options.database.name}`, this.epoch);
  }

  /** Calls back once, if a heartbeat finds that another process took over. */
  onLost(callback: () => void): void {
    this.#lost = callback;
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    clearInterval(this.#timer);
    // without this row, other processes wait for the lease timeout
    await this.#mark('released_at').catch(() => {});
    heldHere.delete(this.#holder);
  }

  async #beat(): Promise<void> {
    const changed = await this.#mark('beat_at').catch(() => 1);
    if (changed > 0 || this.#released) return;
    clearInterval(this.#timer);
    this.#lost();
  }

  #mark(column: 'beat_at' | 'released_at'): Promise<number> {
    const { database, clock } = this.#options;
    const sql = `UPDATE writers SET ${column} = ? WHERE run_id = ? AND holder = ?`;
    return database.write((tables) => tables.run(sql, clock.now(), this.#runId, this.#holder));
  }
}

export function holderOf(tables: Tables, runId: string): Holder | undefined {
  const [row] = tables.all(
    'SELECT epoch, holder, pid, place, beat_at, released_at FROM writers WHERE run_id = ?',
    runId,
  );
  return HolderSchema.safeParse(row).data;
}

export function stateOf(
  holder: Holder,
  { clock, patienceMs }: Lease,
  watched?: Holder,
): 'free' | 'held' | 'watch' {
  if (holder.released_at !== null) return 'free';
  if (heldHere.has(holder.holder)) return 'held';
  const here = holder.place === processPlace();
  if (here && isGone(holder.pid)) return 'free';
  if (watched?.holder === holder.holder)
    return watched.beat_at === holder.beat_at ? 'free' : 'held';
  const silence = clock.now() - holder.beat_at;
  if (silence >= -patienceMs && silence <= patienceMs) return 'held';
  return here && silence > patienceMs ? 'free' : 'watch';
}
