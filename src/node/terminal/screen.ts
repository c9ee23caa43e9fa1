import stripAnsi from 'strip-ansi';
import { type Clock, elapsedOn, systemClock } from '../../ports/clock.js';
import { clearBlock, movesCursor, showCursor } from './colours.js';
import { type Environment, isCi } from './reader.js';
import { cut, widthOf } from './table.js';

/** The shortest time between two frames. */
const frameMs = 100;

const unknownRows = 24;

/** The columns of the live line if the terminal does not tell its width. */
const unknownColumns = 79;

const hideCursor = '\u001b[?25l';

export interface Space {
  readonly columns: number;
  readonly rows: number;
}

/** What changes fastest comes first. */
export type Draw = (space: Space) => readonly string[];

export interface TerminalStream {
  write: NodeJS.WritableStream['write'];
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  readonly on?: (event: 'resize', listener: () => void) => unknown;
  readonly off?: (event: 'resize', listener: () => void) => unknown;
}

export interface ScreenStreams {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
}

/**
 * The owner of the screen. It draws a block of rows that change below everything that was written.
 * While the block is shown, every write to the terminal goes through it, whoever makes it: the block
 * is erased, the text is written, the block is drawn again. The cursor stands in the first row of
 * the block, so that erasing is right after any resize.
 */
export class Screen {
  readonly #streams: ScreenStreams;
  readonly #clock: Clock;
  readonly #environment: Environment;
  #draw: Draw | undefined;
  /** The last frame; `undefined` if nothing is drawn. */
  #frame: string | undefined;
  /** The width of a frame that is one line; `undefined` for a block. */
  #lineWidth: number | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  /** Whether the last text ended its line. */
  #isAtStart = true;
  #isDrawing = false;
  #isCursorHidden = false;
  #next: { readonly at: number; readonly cancel: () => void } | undefined;
  #restore: (() => void) | undefined;

  constructor(
    streams: ScreenStreams,
    options: { readonly clock?: Clock; readonly environment?: Environment } = {},
  ) {
    this.#streams = streams;
    this.#clock = options.clock ?? systemClock;
    this.#environment = options.environment ?? process.env;
  }

  /** Whether the terminal can show what changes. A log, a dumb terminal and CI cannot. */
  get isLive(): boolean {
    const { stderr } = this.#streams;
    return (
      stderr.isTTY === true && this.#environment['TERM'] !== 'dumb' && !isCi(this.#environment)
    );
  }

  /** Shows a block that changes, or shows it anew; at most ten frames a second are drawn. */
  show(draw: Draw): void {
    if (!this.isLive) return;
    this.#draw = draw;
    this.#restore ??= this.#own();
    this.#drawSoon();
  }

  hide(): void {
    this.#draw = undefined;
    this.#next?.cancel();
    this.#next = undefined;
    this.#erase();
    if (this.#isCursorHidden) this.#write(showCursor);
    this.#isCursorHidden = false;
    process.off('exit', this.#end);
    this.#restore?.();
    this.#restore = undefined;
  }

  /** Makes every write to the terminal pass by, until the returned function is called. */
  #own(): () => void {
    const { stdout, stderr } = this.#streams;
    const release = [...new Set([stdout, stderr])]
      .filter(({ isTTY }) => isTTY === true)
      .map((stream) => this.#passWrites(stream));
    const redraw = (): void => this.#resize();
    stderr.on?.('resize', redraw);
    process.once('exit', this.#end);
    return () => {
      stderr.off?.('resize', redraw);
      for (const one of release) one();
    };
  }

  #passWrites(stream: TerminalStream): () => void {
    const isOwn = Object.hasOwn(stream, 'write');
    const { write } = stream;
    const passing = (...values: unknown[]): boolean => {
      if (!this.#isDrawing) this.#beforeText(values[0]);
      return Boolean(Reflect.apply(write, stream, values));
    };
    stream.write = passing;
    return () => {
      if (stream.write !== passing) return;
      if (isOwn) stream.write = write;
      else Reflect.deleteProperty(stream, 'write');
    };
  }

  #beforeText(text: unknown): void {
    this.#erase();
    const shown = typeof text === 'string' ? stripAnsi(text) : '\n';
    if (shown !== '') this.#isAtStart = shown.endsWith('\n');
    // never now, even if a frame is late: the text is still to be written
    this.#next?.cancel();
    this.#drawAt(elapsedOn(this.#clock) + frameMs);
  }

  #resize(): void {
    this.#frame = this.#frame === undefined ? undefined : '';
    this.#drawSoon();
  }

  /** Draws now, or as soon as the frame before is old enough. Timers wait while checks compute. */
  #drawSoon(): void {
    if (this.#draw === undefined) return;
    const at = this.#next?.at ?? this.#drawnAt + frameMs;
    if (elapsedOn(this.#clock) >= at) this.#drawNow();
    else if (this.#next === undefined) this.#drawAt(at);
  }

  #drawAt(at: number): void {
    const wait = at - elapsedOn(this.#clock);
    this.#next = { at, cancel: this.#clock.after(wait, () => this.#drawNow()) };
  }

  #drawNow(): void {
    this.#next?.cancel();
    this.#next = undefined;
    if (this.#draw === undefined || !this.#isAtStart) return;
    this.#drawnAt = elapsedOn(this.#clock);
    const { stderr } = this.#streams;
    const columns = knownColumns(stderr);
    if (columns === undefined || !movesCursor(stderr, this.#environment))
      this.#drawLine(this.#draw);
    else this.#drawBlock(this.#draw, columns);
  }

  #drawBlock(draw: Draw, columns: number): void {
    const { rows: height = 0 } = this.#streams.stderr;
    const space = { columns: columns - 1, rows: Math.max(1, (height || unknownRows) - 1) };
    const rows = draw(space)
      .slice(0, space.rows)
      .map((row) => fitted(row, space.columns));
    const up = rows.length > 1 ? `\u001b[${rows.length - 1}A` : '';
    const frame = `\r${rows.map((row) => `${row}\u001b[K`).join('\r\n')}\u001b[J${up}\r`;
    if (frame === this.#frame) return;
    if (this.#lineWidth !== undefined) this.#erase();
    this.#write(`${this.#isCursorHidden ? '' : hideCursor}${frame}`);
    this.#isCursorHidden = true;
    this.#frame = frame;
  }

  /** Draws the first row only, without any escape sequence. */
  #drawLine(draw: Draw): void {
    const { columns: told = 0 } = this.#streams.stderr;
    const columns = told > 0 ? told - 1 : unknownColumns;
    const [row = ''] = draw({ columns, rows: 1 });
    const line = cut(stripAnsi(row), columns);
    if (line === this.#frame) return;
    if (this.#frame !== undefined && this.#lineWidth === undefined) this.#erase();
    const width = widthOf(line);
    const rest = ' '.repeat(Math.max(0, Math.min(this.#lineWidth ?? 0, columns) - width));
    this.#write(`\r${line}${rest}\r`);
    this.#frame = line;
    this.#lineWidth = width;
  }

  #erase(): void {
    if (this.#frame === undefined) return;
    this.#frame = undefined;
    const width = this.#lineWidth;
    this.#lineWidth = undefined;
    this.#write(width === undefined ? clearBlock : `\r${' '.repeat(width)}\r`);
  }

  readonly #end = (): void => this.hide();

  #write(text: string): void {
    this.#isDrawing = true;
    try {
      this.#streams.stderr.write(text);
    } finally {
      this.#isDrawing = false;
    }
  }
}

/** A row that is too wide loses its colours. */
function fitted(row: string, columns: number): string {
  return widthOf(row) <= columns ? row : cut(stripAnsi(row), columns);
}

const fewest = 20;

/**
 * `undefined` if the terminal does not tell them, as in a container, or if they are too few for
 * anything but plain lines.
 */
function knownColumns(stream: { readonly columns?: number | undefined }): number | undefined {
  const { columns = 0 } = stream;
  return Number.isInteger(columns) && columns >= fewest ? columns : undefined;
}
