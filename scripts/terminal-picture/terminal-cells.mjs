// A terminal as cells: what a screen shows after the bytes of a recording. It knows what this package and its menus
// send: colours, moves, erasing, and the cursor that is hidden or shown. The picture of the README and tests use it.
import widthOf from 'fast-string-width';

const segmenter = new Intl.Segmenter();

/**
 * Plays a recording on a terminal of so many columns and returns its rows, without a limit of height.
 *
 * @param {string} recording
 * @param {number} columns
 */
export function playTerminal(recording, columns) {
  const screen = new Cells(columns);
  for (const part of recording.matchAll(sequence)) {
    const [whole, marks, numbers, final] = part;
    if (final === undefined) screen.type(whole);
    else screen.obey(`${marks}${final}`, numbers === '' ? [] : numbers.split(';').map(Number));
  }
  return screen;
}

const esc = '\u001b';
const sequence = new RegExp(`${esc}\\[([?<>=]?)([\\d;]*)([A-Za-z])|[^${esc}]+|${esc}`, 'g');

class Cells {
  /** @type {{ text: string, style: string }[][]} */
  rows = [[]];
  row = 0;
  column = 0;
  style = '';
  isCursorShown = true;

  constructor(columns) {
    this.columns = columns;
  }

  /** The text of the rows, without space at their ends. */
  get lines() {
    return this.rows.map((cells) =>
      cells
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    );
  }

  type(text) {
    for (const { segment } of segmenter.segment(text)) {
      if (segment === '\r') this.column = 0;
      else if (segment === '\n') this.down();
      else if (segment === '\r\n') {
        this.column = 0;
        this.down();
      } else this.put(segment);
    }
  }

  put(text) {
    const width = widthOf(text);
    if (this.column + width > this.columns) {
      this.column = 0;
      this.down();
    }
    const cells = this.rows[this.row];
    while (cells.length < this.column) cells.push({ text: ' ', style: '' });
    cells[this.column] = { text, style: this.style };
    // the second half of a wide character has no text of its own
    for (let more = 1; more < width; more += 1)
      cells[this.column + more] = { text: '', style: this.style };
    this.column += width;
  }

  down() {
    this.row += 1;
    this.rows[this.row] ??= [];
  }

  obey(command, numbers) {
    const act = commands[command];
    if (act === undefined)
      throw new Error(`the recording contains an unknown sequence: ${command}`);
    act(this, numbers);
  }

  eraseBelow() {
    this.rows.length = this.row + 1;
    const cells = this.rows[this.row];
    if (cells.length > this.column) cells.length = this.column;
  }

  paint(codes) {
    for (const code of codes) {
      if (code === 0) this.style = '';
      else if (code === 22) this.style = without(this.style, /bold|dim/);
      else if (code === 39) this.style = without(this.style, /red|green|yellow|cyan|gray/);
      else if (styles[code] !== undefined)
        this.style = [this.style, styles[code]].filter(Boolean).join(' ');
    }
  }
}

/** What a sequence does, by the letter at its end. */
const commands = {
  m: (screen, [first = 0, ...more]) => screen.paint([first, ...more]),
  A: (screen, [count = 1]) => {
    screen.row = Math.max(0, screen.row - count);
  },
  B: (screen, [count = 1]) => {
    for (let left = count; left > 0; left -= 1) screen.down();
  },
  C: (screen, [count = 1]) => {
    screen.column += count;
  },
  D: (screen, [count = 1]) => {
    screen.column = Math.max(0, screen.column - count);
  },
  G: (screen, [column = 1]) => {
    screen.column = column - 1;
  },
  K: (screen) => {
    screen.rows[screen.row].length = Math.min(screen.rows[screen.row].length, screen.column);
  },
  J: (screen) => screen.eraseBelow(),
  '?l': (screen, [mode]) => {
    if (mode === 25) screen.isCursorShown = false;
  },
  '?h': (screen, [mode]) => {
    if (mode === 25) screen.isCursorShown = true;
  },
};

const styles = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
  90: 'gray',
};

function without(style, names) {
  return style
    .split(' ')
    .filter((name) => !names.test(name))
    .join(' ');
}
