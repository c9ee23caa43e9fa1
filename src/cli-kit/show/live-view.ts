import { type Clock, elapsedOn, systemClock } from '../../ports/clock.js';
import { redactSecrets } from '../../redact/secrets.js';
import { oneLine } from '../../terminal/sanitise.js';
import type { Draw } from '../../terminal/screen.js';
import type { Io } from '../io.js';

/** How often a live block is drawn, in milliseconds, if nothing happens. */
const tickMs = 125;

/** How often a line tells what runs: on a terminal that cannot move its cursor, and in a log. */
const terminalMs = 2000;
const logMs = 10_000;

/** The streams of a view. */
export type ViewIo = Pick<Io, 'err' | 'errColumns' | 'live' | 'reader'>;

export interface Shown {
  /** The rows of the live block. */
  readonly rows: Draw;
  /** The line of a log that tells what runs. */
  readonly heartbeat: () => string;
}

/**
 * Shows what a long command does: a live block on a terminal, calm lines in a log, nothing to an
 * agent. All long commands use it.
 */
export class LiveView {
  readonly #io: ViewIo;
  readonly #shown: Shown;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #cancel: (() => void) | undefined;
  #stopped = false;
  #toldAt: number;

  constructor(io: ViewIo, shown: Shown, clock: Clock = systemClock) {
    this.#io = io;
    this.#shown = shown;
    this.#clock = clock;
    this.#startedAt = elapsedOn(clock);
    this.#toldAt = this.#startedAt;
  }

  /** Milliseconds since the view began. */
  get elapsedMs(): number {
    return elapsedOn(this.#clock) - this.#startedAt;
  }

  /** Begins to show. */
  start(): void {
    if (this.#stopped || this.#cancel !== undefined || this.#io.reader === 'agent') return;
    this.#draw();
    this.#tick();
  }

  /** Shows that something has changed. Timers do not fire while checks compute. */
  changed(): void {
    if (this.#stopped || this.#cancel === undefined) return;
    if (this.#io.live !== undefined) this.#draw();
    else this.#tell();
  }

  /** Writes a line that stays, until the end: an answer replays earlier events. */
  line(text: string): void {
    if (this.#stopped || this.#io.reader === 'agent') return;
    this.#toldAt = elapsedOn(this.#clock);
    this.#io.err(`${oneLine(redactSecrets(text))}\n`);
  }

  /** Removes the block, for example while a person is asked. `start` shows it again. */
  pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#io.live?.hide();
  }

  /** Ends the view. */
  stop(): void {
    this.pause();
    this.#stopped = true;
  }

  #tick(): void {
    const { live } = this.#io;
    const told = this.#toldAt + this.#everyMs - elapsedOn(this.#clock);
    this.#cancel = this.#clock.after(live === undefined ? Math.max(1, told) : tickMs, () => {
      this.changed();
      this.#tick();
    });
  }

  get #everyMs(): number {
    return this.#io.errColumns === undefined ? logMs : terminalMs;
  }

  #draw(): void {
    this.#io.live?.show(this.#shown.rows);
  }

  /** Tells what runs, unless a line was just written. */
  #tell(): void {
    if (elapsedOn(this.#clock) - this.#toldAt < this.#everyMs) return;
    const text = this.#shown.heartbeat();
    if (text === '') this.#toldAt = elapsedOn(this.#clock);
    else this.line(text);
  }
}
