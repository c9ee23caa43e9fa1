import { ReviewLoopError } from '../../../core/errors.js';
import { checkKeys, checkWhole, invalid } from '../../../core/options.js';
import { type Clock, elapsedOn } from '../../../ports/clock.js';
import { type Limiter, type WaitingCall, WaitingCalls } from '../../../ports/limiter.js';
import { checkKey } from './rate-pace.js';

export interface SharedLimiterOptions {
  /** The name of the limit. All processes that use it share it. */
  readonly key: string;
  /** How many calls run at the same time in all processes; from 1 to 10000. */
  readonly concurrency: number;
}

export interface SlotRows {
  /**
   * Takes up to `most` free slots, and returns what they are called. If there are fewer, others see
   * that this process waits.
   */
  readonly take: (most: number) => Promise<readonly string[]>;
  readonly leave: () => Promise<void>;
  readonly isWanted: () => Promise<boolean>;
  readonly free: (slots: readonly string[]) => Promise<void>;
}

export function checkedSlots(options: SharedLimiterOptions): SharedLimiterOptions {
  checkKeys('limiter', options, ['key', 'concurrency']);
  checkKey('key', options.key);
  checkWhole('concurrency', options.concurrency, 1);
  if (options.concurrency > 10_000)
    throw invalid('concurrency', 'at most 10000', options.concurrency);
  return options;
}

/** How long waiting calls wait before they ask for slots again, about. */
const askAgainMs = 100;
/** A process passes a slot on to its own calls for so long; then it looks whether others wait. */
const turnMs = 1000;

/**
 * Its slots are rows that processes share. In one process, the oldest loop goes first, and its
 * calls pass their slots on without a statement.
 */
export class SlotLimiter implements Limiter {
  readonly concurrency: number;
  readonly #rows: SlotRows;
  readonly #clock: Clock;
  readonly #waiting: WaitingCalls;
  #ages = 0;
  #queued = 0;
  #asking = false;
  #attempt = 0;

  constructor(rows: SlotRows, concurrency: number, clock: Clock) {
    this.#rows = rows;
    this.concurrency = concurrency;
    this.#clock = clock;
    this.#waiting = new WaitingCalls(concurrency / 2);
  }

  readonly age = (): number => this.#ages++;

  readonly spend = (): void => {};

  readonly enter: Limiter['enter'] = (age, work, fail) => {
    this.#waiting.add(age, { work, fail });
    this.#queued += 1;
    void this.#ask();
  };

  #next(): WaitingCall | undefined {
    const call = this.#waiting.take();
    if (call !== undefined) this.#queued -= 1;
    return call;
  }

  /** Asks for slots until no call waits. Never rejects. */
  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    // all that enters in this turn goes together
    await Promise.resolve();
    let waits = false;
    while (this.#queued > 0) {
      try {
        const most = this.#queued;
        const slots = await this.#rows.take(most);
        waits = slots.length < most;
        for (const slot of slots) void this.#use(slot);
        if (this.#queued > 0) await this.#pause();
      } catch (error) {
        this.#failAll(error);
      }
    }
    this.#asking = false;
    if (waits) await this.#rows.leave().catch(() => {});
  }

  /** Runs calls in a slot, one after another. Never rejects. */
  async #use(slot: string): Promise<void> {
    let turnEnds = elapsedOn(this.#clock) + turnMs;
    for (let call = this.#next(); call !== undefined; call = this.#next()) {
      await call.work().catch(() => {});
      if (elapsedOn(this.#clock) < turnEnds || this.#queued === 0) continue;
      if (await this.#rows.isWanted().catch(() => true)) break;
      turnEnds = elapsedOn(this.#clock) + turnMs;
    }
    // without the row, the slot is free once the lease of this process is over
    await this.#rows.free([slot]).catch(() => {});
  }

  #failAll(error: unknown): void {
    const known =
      error instanceof ReviewLoopError
        ? error
        : new ReviewLoopError('journal_write_failed', 'the slots of a limiter cannot be read', {
            cause: error,
          });
    for (let call = this.#next(); call !== undefined; call = this.#next()) call.fail?.(known);
  }

  #pause(): Promise<void> {
    this.#attempt += 1;
    const spread = ((this.#attempt * 13 + process.pid) % 37) / 37;
    return new Promise((resolve) => void this.#clock.after(askAgainMs * (0.5 + spread), resolve));
  }
}
