import { redactSecrets } from '../../../core/redact/secrets.js';
import { tokensOf, type Usage } from '../../../core/usage.js';
import type { Paint } from '../../../node/terminal/colours.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import type { Draw } from '../../../node/terminal/screen.js';
import { cut, pad, widthOf } from '../../../node/terminal/table.js';
import { type Clock, elapsedOn, systemClock } from '../../../ports/clock.js';
import type { Io } from '../io.js';

/** A live block is drawn so often if nothing happens. */
const tickMs = 125;

/** How often a line tells what runs: on a terminal that cannot move its cursor, and in a log. */
const terminalMs = 2000;

const logMs = 10_000;

export type ViewIo = Pick<Io, 'err' | 'errColumns' | 'live' | 'reader'>;

export interface Shown {
  readonly rows: Draw;
  readonly heartbeat: () => string;
}

/**
 * A live block on a terminal, calm lines in a log, nothing to an agent. All long commands use it.
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

export const mostRows = 8;

/** How long a picture of the moving sign is shown. */
const pictureMs = 125;

const pictures = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

export function movingSign(elapsedMs: number): string {
  return pictures.charAt(Math.floor(elapsedMs / pictureMs) % pictures.length);
}

/** A reviewer or a task. */
export interface LiveItem {
  readonly sign: string;
  readonly style: 'good' | 'bad' | 'minor' | 'faint';
  readonly name: string;
  readonly ms?: number | undefined;
  /** What else is known: tokens, money, the expected time. */
  readonly facts: readonly string[];
}

/** The sign, the elapsed time, and what changes fastest. */
export function headRow(elapsedMs: number, parts: readonly string[], columns: number): string {
  const shown = parts.filter((part) => part !== '').map(oneLine);
  return cut([`${movingSign(elapsedMs)} ${durationText(elapsedMs)}`, ...shown].join('  '), columns);
}

export function itemRows(
  items: readonly LiveItem[],
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
): string[] {
  const times = items.map(({ ms }) => (ms === undefined ? '' : durationText(ms)));
  const timeWidth = Math.max(0, ...times.map(widthOf));
  const names = items.map(({ name }) => oneLine(name));
  const nameWidth = Math.min(Math.floor(columns / 2), Math.max(0, ...names.map(widthOf)));
  return items.map(({ sign, style, facts }, index) => {
    const time = (times[index] ?? '').padStart(timeWidth);
    const name = pad(cut(names[index] ?? '', nameWidth), nameWidth);
    const text = [time, name, ...facts.map(oneLine)].join('  ').trimEnd();
    return `  ${paint(style, sign)} ${cut(text, Math.max(0, columns - 4))}`;
  });
}

/** `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `812 tok`, `12.4k tok`. */
function tokensText(tokens: number): string {
  if (tokens < 1000) return `${tokens} tok`;
  return tokens < 1_000_000
    ? `${(tokens / 1000).toFixed(1)}k tok`
    : `${(tokens / 1_000_000).toFixed(1)}m tok`;
}

/** What is unknown is left out. */
export function usageTexts(usage: Usage): string[] {
  const tokens = tokensOf(usage);
  const { costUsd } = usage;
  return [
    ...(tokens === undefined ? [] : [tokensText(tokens)]),
    ...(costUsd === undefined ? [] : [`$${moneyText(costUsd)}`]),
  ];
}

function moneyText(usd: number): string {
  return usd > 0 && usd < 0.01 ? String(Number(usd.toPrecision(2))) : usd.toFixed(2);
}
