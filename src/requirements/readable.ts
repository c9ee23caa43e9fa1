import { hiddenLines, unclosedLines } from './hidden-lines.js';

const mostCharacters = 200_000;
const longestLine = 8_000;
const longestParagraph = 16_000;
const deepestIndent = 120;
const mostMarkers = 40;
/** A part is parsed by itself: the parser takes more than twice as long for twice the text. */
const partSize = 12_000;

/** The part of a text that goes into one syntax tree. */
export interface TextPart {
  readonly lines: readonly string[];
  /** The number of lines before it. */
  readonly shift: number;
}

/** The lines of a text, without its byte order mark. */
export function linesOf(text: string): string[] {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).split(/\r\n|\n|\r/);
}

/**
 * Whether a syntax tree of a text can be made in a time that grows with its length alone. Parsers of Markdown are slow for
 * deep nesting and for very long paragraphs, and overflow the stack for absurd ones.
 */
export function fitsTree(lines: readonly string[]): boolean {
  let total = 0;
  let paragraph = 0;
  for (const line of lines) {
    total += line.length + 1;
    paragraph =
      line.trim() === '' || /^\s*(?:[-*+|#]|\d+[.)])/.test(line)
        ? line.length
        : paragraph + line.length;
    if (
      total > mostCharacters ||
      line.length > longestLine ||
      paragraph > longestParagraph ||
      isDeep(line)
    )
      return false;
  }
  return true;
}

/** Whether a line opens lists and quotes deeper than people write. */
function isDeep(line: string): boolean {
  const lead = /^[\s>*+\-\d.)#]*/.exec(line)?.[0] ?? '';
  if (lead.length === line.length && !lead.includes('>')) return false;
  return (
    (lead.match(/[>*+-]|\d[.)]/g)?.length ?? 0) > mostMarkers ||
    lead.replaceAll('\t', '    ').length > deepestIndent
  );
}

/**
 * The text as it is parsed: what is not part of the document (front matter, quoted documents between `"""`) is blank, and so
 * is an opening without an end, so that a forgotten fence does not swallow the rest. It is cut before headings.
 */
export function* partsOf(lines: readonly string[]): Generator<TextPart> {
  const hidden = hiddenLines(lines);
  const gone = unclosedLines(lines);
  const kept = lines.map((line, index) => (gone.has(index) ? '' : line.replaceAll('\0', '\ufffd')));
  let from = 0;
  let size = 0;
  for (const [index, line] of kept.entries()) {
    if (size > partSize && hidden[index] !== true && /^#{1,6}\s/.test(line)) {
      yield { lines: kept.slice(from, index), shift: from };
      from = index;
      size = 0;
    }
    size += line.length + 1;
  }
  yield { lines: kept.slice(from), shift: from };
}
