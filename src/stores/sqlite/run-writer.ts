import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { isGone, processPlace } from '../../node/process-identity.js';
import type { Clock } from '../../ports/clock.js';
import { storeErrors } from '../errors.js';
import type { Database, Tables } from './database.js';

/** How a run is held. */
export interface WriterOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** How often the holder shows that it lives. */
  readonly heartbeatMs: number;
  /** How long a holder may be silent before another one takes over. */
  readonly patienceMs: number;
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

/** Who holds a run in this process: its heartbeat may be late because the process is busy, and must not be taken for silence. */
const heldHere = new Set<string>();

/** The one writer of a run. Every writer has a higher epoch than the one before, and each of its transactions looks for its own. */
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
   * Becomes the writer of a run, once nobody else is.
   *
   * @param then - What to read in the same transaction.
   * @throws ReviewLoopError `run_busy`
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
        const values = [epoch, holder, process.pid, processPlace(), options.clock.now()] as const;
        tables.run(
          'INSERT OR REPLACE INTO writers (run_id, epoch, holder, pid, place, beat_at) VALUES (?, ?, ?, ?, ?, ?)',
          runId,
          ...values,
        );
        return { state, epoch, value: then(tables) } as const;
      });
    let tried = await tryOnce();
    if (tried.state === 'watch') {
      // the clocks of two machines differ, or one was set back: only watching tells
      await new Promise<void>((done) => options.clock.after(options.patienceMs, done));
      tried = await tryOnce(tried.before);
    }
    if (tried.state !== 'free')
      throw new ReviewLoopError(
        'run_busy',
        `run ${runId} is already in progress, in this process or in another`,
        { value: runId },
      );
    return {
      writer: new RunWriter(options, runId, { epoch: tried.epoch, holder }),
      value: tried.value,
    };
  }

  /** @throws ReviewLoopError `journal_fenced` when somebody has taken over. */
  check(tables: Tables): void {
    if (this.#released || holderOf(tables, this.#runId)?.holder !== this.#holder)
      throw this.fenced();
  }

  fenced(): ReviewLoopError {
    return new ReviewLoopError(
      storeErrors.journal_fenced,
      `run ${this.#runId} in ${this.#options.database.name} has a later writer than this one, of epoch ${this.epoch}`,
    );
  }

  /** Calls back, once, when a heartbeat finds that somebody has taken over. */
  onLost(callback: () => void): void {
    this.#lost = callback;
  }

  /** Lets the next one in. */
  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    clearInterval(this.#timer);
    const { database, clock } = this.#options;
    // one that cannot be told is silent from now on
    await database
      .write((tables) =>
        tables.run(
          'UPDATE writers SET released_at = ? WHERE run_id = ? AND holder = ?',
          clock.now(),
          this.#runId,
          this.#holder,
        ),
      )
      .catch(() => {});
    heldHere.delete(this.#holder);
  }

  async #beat(): Promise<void> {
    const { database, clock } = this.#options;
    const beat = (tables: Tables): number =>
      tables.run(
        'UPDATE writers SET beat_at = ? WHERE run_id = ? AND holder = ?',
        clock.now(),
        this.#runId,
        this.#holder,
      );
    const changed = await database.write(beat).catch(() => 1);
    if (changed > 0 || this.#released) return;
    clearInterval(this.#timer);
    this.#lost();
  }
}

/** Who has a run, or had it last. */
export function holderOf(tables: Tables, runId: string): Holder | undefined {
  const [row] = tables.all(
    'SELECT epoch, holder, pid, place, beat_at, released_at FROM writers WHERE run_id = ?',
    runId,
  );
  return HolderSchema.safeParse(row).data;
}

/** Whether the holder has let go, has died, or was silent for too long. */
export function stateOf(
  holder: Holder,
  { clock, patienceMs }: Pick<WriterOptions, 'clock' | 'patienceMs'>,
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
