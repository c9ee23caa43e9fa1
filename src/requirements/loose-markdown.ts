/** Matches a line that begins with the mark of a list. */
const item = /^(?:[-*+]|\d{1,2}[.)])\s+\S/;
const fewestSpaces = 4;

/**
 * Moves lists to the left that are indented like code right below a line of text. Markdown takes
 * them for the rest of the paragraph.
 */
export function withListsMovedLeft(lines: readonly string[]): string[] {
  const depth = new ListDepth();
  return lines.map((line) => line.slice(depth.above(line)));
}

/** Reads lines in their order, and knows how far the list at a line is to be moved. */
class ListDepth {
  #by = 0;
  #paragraph: 'text' | 'item' | undefined;

  /** Returns the number of spaces before a line that do not count. */
  above(line: string): number {
    const text = line.trimStart();
    const indent = line.length - text.length;
    const isItem = item.test(text.slice(0, 20));
    if (text === '') this.#paragraph = undefined;
    else if (indent < fewestSpaces) this.#by = 0;
    else if (this.#by === 0 && this.#paragraph === 'text' && isItem) this.#by = indent;
    if (text !== '' && indent === 0) this.#enter(text, isItem);
    return indent >= this.#by ? this.#by : 0;
  }

  #enter(text: string, isItem: boolean): void {
    if (isItem) this.#paragraph = 'item';
    else this.#paragraph = /^[#>|`~]/.test(text) ? undefined : (this.#paragraph ?? 'text');
  }
}

/** Removes the indentation that all lines share, since it marks no code. */
export function withoutSharedIndent(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== '');
  const [first = ''] = filled;
  let shared = first.length - first.trimStart().length;
  for (const line of filled) {
    if (shared === 0) break;
    while (!line.startsWith(first.slice(0, shared))) shared -= 1;
  }
  return shared === 0 ? lines : lines.map((line) => line.slice(shared));
}

/** Matches the number of an item. */
const numbered = /^( {0,3})(\d{1,3})([.)])(?=\s+\S)/;

/**
 * Returns lines in which numbered items right below a line of text begin a list. Markdown takes them
 * for the rest of the paragraph if the first number is not 1.
 */
export function withNumberedLists(lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const [above = '', next = ''] = [lines[index - 1], lines[index + 1]];
    const number = numberOf(line);
    if (number === undefined || number === 1 || above.trim() === '') return line;
    const begins = numberOf(above) === undefined && /^\S/.test(above) && !/^[-*+>|#]\s/.test(above);
    const goesOn = numberOf(next) === number + 1 || /[:*_]$/.test(above.trimEnd());
    return begins && goesOn ? line.replace(numbered, '$11$3') : line;
  });
}

function numberOf(line: string): number | undefined {
  const [, , number] = numbered.exec(line.slice(0, 20)) ?? [];
  return number === undefined ? undefined : Number(number);
}

const structure = /<(\/?)(ul|ol|li|p|div|br|hr|center|h[1-6])\b[^<>]{0,200}>/gi;
const begins = /^\s*<\/?(?:ul|ol|li|p|div|br|hr|center|h[1-6])\b/i;

/** Matches a table of HTML on one line, which would make the lines below it HTML. */
const wholeTable = /^\s*<table\b.*<\/table>\s*$/i;

/** Replaces the tags of lists, headings and paragraphs in a line that begins with one. */
export function withoutTags(line: string): string {
  if (wholeTable.test(line)) return '';
  if (!begins.test(line.slice(0, 200))) return line;
  return line
    .replace(structure, (_, end: string, tag: string) => (end === '' ? markOf(tag) : ''))
    .trim();
}

function markOf(tag: string): string {
  if (/^li$/i.test(tag)) return '- ';
  return /^h\d$/i.test(tag) ? `${'#'.repeat(Number(tag.slice(1)))} ` : '';
}
