import { cut, widthOf } from '../terminal/width.js';

/** A terminal that shows one line that changes. */
interface Terminal {
  readonly write: (text: string) => unknown;
  readonly columns?: number | undefined;
}

/** The line that a terminal shows at its end until something else is written. It uses no escapes. */
export class StatusLine {
  readonly #terminal: Terminal;
  #width = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows a line in place of the one before; '' removes it. */
  show(text: string): void {
    const { columns = 0 } = this.#terminal;
    const line = columns > 0 ? cut(text, columns - 1) : text;
    const width = widthOf(line);
    if (width === 0 && this.#width === 0) return;
    const rest = ' '.repeat(Math.max(0, this.#width - width));
    this.#terminal.write(`\r${line}${rest}${rest === '' ? '' : `\r${line}`}`);
    this.#width = width;
  }
}
