import {
  withListsMovedLeft,
  withNumberedLists,
  withoutSharedIndent,
  withoutTags,
} from './loose-markdown.js';
import { withPlainLists } from './plain-lists.js';
import { linesOf } from './plain-text.js';
import { withTagsAsHeadings } from './tag-lines.js';

const deepestIndent = 120;
/**
 * Matches a line that opens 40 or more lists and quotes. Parsers take quadratic time on such a
 * line.
 */
const tooDeep = /^\s*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){40}/;

/**
 * Returns the lines of a text for the Markdown parser. It blanks front matter and reads "•" as the
 * mark of a list. Each line keeps its number.
 */
export function markdownLines(text: string): string[] {
  const given = withTagsAsHeadings(withoutSharedIndent(withoutQuotes(linesOf(text))));
  const lines = withListsMovedLeft(withNumberedLists(withPlainLists(given)));
  const from = endOfFrontMatter(lines);
  return lines.map((line, index) => {
    if (index < from || tooDeep.test(line)) return '';
    const indent = line.length - line.trimStart().length;
    return withoutTags(indent > deepestIndent ? line.slice(indent - deepestIndent) : line)
      .replaceAll('\0', '\uFFFD')
      .replace(/^h([1-6])\. (?=\S)/, (_, level) => `${'#'.repeat(Number(level))} `)
      .replace(/^(\s*)• */, '$1- ')
      .replace(/^(\s*)(?=\[[ xX]\] )/, '$1- ')
      .replace(/^\d{1,2}\. (?=\S)/, (mark) => (isNumberedTitle(lines, index) ? '' : mark))
      .replace(/^(?=\s*\S)/, isEnumerated(lines, index) ? '- ' : '');
  });
}

/** Removes the marks of quotes that are comments of a thread. */
function withoutQuotes(lines: readonly string[]): string[] {
  let inComment = false;
  return lines.map((line, index) => {
    const mark = quote.exec(line)?.[0];
    if (mark === undefined) inComment = false;
    else if (!quote.test(lines[index - 1] ?? '')) inComment = comment.test(line);
    return inComment && mark !== undefined ? line.slice(mark.length) : line;
  });
}

const quote = /^ {0,3}> ?/;

/** Matches the first line of a quoted comment of a thread: "> **mia** commented". */
const comment =
  /^ {0,3}> ?(?:\*\*|@)[\w-]{1,40}(?:\*\*)? (?:commented|wrote|said|replied|opened|\()/i;

/** Returns whether a line such as "3. Power" stands alone, so that it is a title and no item. */
function isNumberedTitle(lines: readonly string[], index: number): boolean {
  const [above, line, below] = [-1, 0, 1].map((by) => lines[index + by]?.trim() ?? '');
  const next = lines.slice(index + 1, index + 4).find((text) => text.trim() !== '') ?? '';
  const before = lines.slice(Math.max(0, index - 3), index).findLast((text) => text.trim() !== '');
  const isItem = /^\s*\d{1,2}\. /;
  if (above !== '' || below !== '' || next === '' || isItem.test(next)) return false;
  return !isItem.test(before ?? '') && /^\d{1,2}\. \p{Lu}[^.,:;!?]{0,40}$/u.test(line ?? '');
}

const enumerator = /^\s*(?:\(?[a-z]\)|\(\d{1,3}\)|\d{1,3}(?:\.\d{1,3}){1,3}\.?)\s+\S/;

/** Returns whether a line begins with "(a)", "(1)" or "2.1" and is no heading, so that it is an item. */
function isEnumerated(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (!enumerator.test(line.slice(0, 40))) return false;
  const before = lines[index - 1]?.trim() ?? '';
  const begins = before === '' || /[.:;!?,]$/.test(before) || enumerator.test(before.slice(0, 40));
  return begins && (/[.:;,]\s*$/.test(line) || line.trim().split(/\s+/, 7).length > 5);
}

function endOfFrontMatter(lines: readonly string[]): number {
  const mark = lines[0]?.trimEnd();
  if (mark !== '---' && mark !== '+++') return 0;
  return lines.findIndex((line, index) => index > 0 && line.trimEnd() === mark) + 1;
}
