import { isCapability, isCommand } from './demand.js';
import { leadOf } from './list-lead.js';
import type { MarkdownBlock, MarkdownCode } from './markdown.js';
import { isObligation } from './obligation.js';
import { isExplaining } from './sections.js';

/** The fewest lines that ask in a text. Fewer may be a comment or a message in code. */
const fewestAsking = 2;

/** Matches a line of code, of data, or of columns. */
const code =
  /^(?:[$>#%@|+=<{}[\]"'*\\]|\/[/*]|--?\w|[A-Z]{3,} (?:\S+ )*[A-Z]{3,}\b)|[;{}[\]\\]$|["\]}],$|=>|[│├└]|\S {2,}\S|\s[=:|&]=?\s|^\S+\(|::|\w\(\)/;

/**
 * Returns a document whose text is indented like code as lists, if there is any: a page that
 * somebody copied loses the marks of its lists. Each line keeps its number.
 */
export function withIndentedTextAsLists(
  lines: readonly string[],
  blocks: readonly MarkdownBlock[],
): string[] | undefined {
  const texts = blocks.filter(
    (block, index): block is MarkdownCode =>
      block.kind === 'code' && isText(block) && !isSample(blocks[index - 1]),
  );
  if (texts.length === 0) return undefined;
  const result = [...lines];
  for (const { line, lines: own } of texts) {
    const from = line - 1;
    const items = itemsOf(lines.slice(from, from + own.length));
    result.splice(from, items.length, ...items);
  }
  return result;
}

/** Returns whether indented code has lines that ask, and does not consist of code around them. */
function isText({ language, lines }: MarkdownCode): boolean {
  if (language !== undefined) return false;
  const asking = chunksOf(lines).flatMap((chunk) => (isCode(chunk) ? [] : chunk.filter(asks)));
  return asking.length >= fewestAsking;
}

/** Returns whether the text above says that an example, or something else, follows. */
function isSample(above: MarkdownBlock | undefined): boolean {
  const text = above?.kind === 'paragraph' ? above.lines.join(' ') : '';
  return isExplaining(leadOf(text).kind);
}

function asks(line: string): boolean {
  const text = line.trim().slice(0, 300);
  const isSentence = /^\p{Lu}\p{Ll}+ \S+ \S/u.test(text) && !code.test(text);
  return isSentence && (isCommand(text) || isObligation(text) || isCapability(text));
}

/** Returns the runs of lines between empty lines. */
function chunksOf(lines: readonly string[]): string[][] {
  const chunks: string[][] = [[]];
  for (const line of lines)
    if (line.trim() === '') chunks.push([]);
    else chunks.at(-1)?.push(line);
  return chunks.filter(({ length }) => length > 0);
}

function isCode(chunk: readonly string[]): boolean {
  return chunk.filter((line) => code.test(line.trim().slice(0, 300))).length * 2 >= chunk.length;
}

/** Returns lines as the items of a list, nested by their indentation. Code becomes empty lines. */
function itemsOf(lines: readonly string[]): string[] {
  const inCode = codeLines(lines);
  const list = new IndentedList();
  return lines.map((line, index) => list.read(inCode.has(index) ? '' : line));
}

/** A line that is at least as long may go on in the next one. */
const shortestWidth = 60;

/** Reads indented lines in their order, and nests them by their indentation. */
class IndentedList {
  readonly #indents: number[] = [];
  #before = '';

  /** Returns a line as an item, or as the rest of the item above. */
  read(given: string): string {
    const line = given.replaceAll('\t', '    ');
    const text = line.trim();
    const goesOn = this.#before.length >= shortestWidth && /^\p{Ll}/u.test(text);
    this.#before = text;
    if (text === '') return '';
    if (!goesOn) this.#enter(line.length - line.trimStart().length);
    const margin = '  '.repeat(this.#indents.length - 1);
    return goesOn ? `${margin}  ${text}` : `${margin}- ${text.replace(/^[-*+•] /, '')}`;
  }

  #enter(indent: number): void {
    while ((this.#indents.at(-1) ?? -1) > indent) this.#indents.pop();
    if (this.#indents.at(-1) !== indent) this.#indents.push(indent);
  }
}

/** Returns the places of the lines that stand in chunks of code. */
function codeLines(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  let chunk: number[] = [];
  for (let index = 0; index <= lines.length; index += 1) {
    if ((lines[index] ?? '').trim() !== '') {
      chunk.push(index);
      continue;
    }
    if (isCode(chunk.map((at) => lines[at] ?? ''))) for (const at of chunk) found.add(at);
    chunk = [];
  }
  return found;
}
