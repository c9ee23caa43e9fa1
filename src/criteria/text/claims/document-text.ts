import type { CoverageEvidence } from '../../../core/coverage.js';
import {
  exactText,
  firstWordAt,
  isPromise,
  looseText,
  wholeWordsAt,
} from '../../deciders/loose-text.js';
import { type MarkdownLine, readMarkdown } from '../markdown.js';
import type { ClaimedDocument } from './claimed-documents.js';

/** A passage of a text without its markup. */
export interface Passage {
  readonly text: string;
  readonly start: number;
}

/** Returns the passages that a reader sees: paragraphs, headings, items and cells. */
export function passagesOf({ source, isMarkdown }: ClaimedDocument): Passage[] {
  if (!isMarkdown) return paragraphsOf(source);
  const { lines, plain } = readMarkdown(source);
  const passages: Passage[] = [];
  let open: { readonly parts: string[]; readonly start: number } | undefined;
  const finish = (): void => {
    if (open !== undefined)
      passages.push({ text: exactText(open.parts.join(' ')), start: open.start });
    open = undefined;
  };
  for (const line of lines) {
    const text = shownLine(line, plain);
    if (!goesOn(line)) finish();
    if (text === '') continue;
    if (open === undefined) open = { parts: [], start: line.start };
    open.parts.push(text);
  }
  finish();
  return passages;
}

/** Returns the place of a text that a reader sees as whole words, unless it is only promised. */
export function placeOf(document: ClaimedDocument, wanted: string): CoverageEvidence | undefined {
  const text = exactText(wanted);
  const passage = passagesOf(document).find(
    (one) => wholeWordsAt(one.text, text) !== -1 && !isPromise(one.text),
  );
  return passage && evidenceAt(document, firstWordAt(document.source, text, passage.start));
}

/** Returns a place in a document as evidence. */
export function evidenceAt(
  { file, lineAt, quoteAt }: ClaimedDocument,
  start: number,
): CoverageEvidence {
  return { file, line: lineAt(start), quote: quoteAt(start), share: 1 };
}

/** Returns whether a document contains anything like a text. */
export function mayContain({ source }: ClaimedDocument, wanted: string): boolean {
  const loose = looseText(wanted);
  return loose === '' || looseText(source).includes(loose) || /&#?\w+;/.test(source);
}

/** Returns a line of Markdown without markup, comments and link targets. */
function shownLine({ kind, text, start }: MarkdownLine, plain: string): string {
  if (kind === 'front' || kind === 'blank') return '';
  if (kind === 'code') return /^\s*(?:`{3,}|~{3,})/.test(text) ? '' : text.trim();
  if (kind === 'html') return '';
  return withoutMarkup(plain.slice(start, start + text.length));
}

/** Returns a text without the marks of Markdown. */
export function withoutMarkup(text: string): string {
  if (text.length > longestLine) return text.trim();
  return text
    .replace(/^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:#{1,6}\s+)?/, '')
    .replaceAll(/!\[[^\]]{0,300}\]\([^)]{0,1000}\)/g, ' ')
    .replaceAll(/\[([^\][]{1,300})\]\([^)]{0,1000}\)/g, '$1')
    .replaceAll(/<[^<>]{1,500}>/g, '')
    .replaceAll(/\*{1,3}|_{2,3}|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .replace(/\s#+\s*$/, '')
    .trim();
}

const longestLine = 20_000;

/** Returns whether a line continues the passage before it. */
function goesOn({ kind, text }: MarkdownLine): boolean {
  if (kind === 'text' || kind === 'quote') return true;
  return kind === 'list' && !/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(text);
}

function paragraphsOf(source: string): Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  for (const part of source.split(/(\r?\n[ \t]*\r?\n)/)) {
    const text = exactText(part);
    if (text !== '')
      passages.push({ text, start: start + (part.length - part.trimStart().length) });
    start += part.length;
  }
  return passages;
}
