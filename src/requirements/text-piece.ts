import { isTitle, type Label, labelOf } from './label.js';
import type { MarkdownBlock, MarkdownItem, MarkdownParagraph } from './markdown.js';
import { isObligation } from './obligation.js';
import { isDemand } from './text-rules.js';

/** A part of a paragraph. */
export interface TextPiece {
  readonly line: number;
  readonly lines: readonly string[];
  /** Whether text or a block that is not a heading follows. */
  readonly followed: boolean;
  /** Whether a list follows right below. */
  readonly listed: boolean;
  /** Whether it is the whole paragraph. */
  readonly alone: boolean;
}

/**
 * Returns the pieces of a paragraph. A label begins a piece. A label without text is a piece of its
 * own.
 */
export function piecesOf(
  paragraph: MarkdownParagraph,
  next: MarkdownBlock | undefined,
): TextPiece[] {
  const starts = paragraph.lines.flatMap((line, index) => {
    const above = labelOf(paragraph.lines[index - 1] ?? '');
    const goesOn =
      /^\p{Ll}/u.test(line) && !/[.!?:;]\W{0,3}$/.test(paragraph.lines[index - 1] ?? '');
    const begins = (labelOf(line) !== undefined && !goesOn) || startsNamed.test(line);
    return index === 0 || above?.rest === '' || begins ? [index] : [];
  });
  return starts.map((start, index) => ({
    line: paragraph.line + start,
    lines: paragraph.lines.slice(start, starts[index + 1]),
    alone: starts.length === 1,
    listed: index === starts.length - 1 && next?.kind === 'list',
    followed: index < starts.length - 1 || (next !== undefined && next.kind !== 'heading'),
  }));
}

/** A line of fewer words may name a list. */
const mostWordsOfName = 5;

/** Matches the identifier that begins a line: "R3 [4.5] After". */
const startsNamed = /^[A-Z]{1,10}[-_.]?\d{1,5}\b/;

/** Returns a short line of its own as a label: "Export", "3 Power", "**mia** (maintainer)". */
export function titleOf({ lines, alone }: TextPiece): Label | undefined {
  const [name = '', ...more] = lines;
  const says = isDemand(name) || isObligation(name);
  if (!alone || more.length > 0 || says || !isTitle(name)) return undefined;
  return { name, rest: '', kind: 'open' };
}

/** Returns the text of an item without what is below it. */
export function firstText(item: MarkdownItem | undefined): string {
  const [first] = item?.blocks ?? [];
  return first?.kind === 'paragraph' ? first.lines.join(' ') : '';
}

/** Returns whether a line names the parts in the list right below it: "Possible states:". */
export function namesParts(
  { listed }: TextPiece,
  line: string,
  place: { readonly hasParts: boolean },
): boolean {
  return listed && place.hasParts && line.split(' ').length < mostWordsOfName;
}
