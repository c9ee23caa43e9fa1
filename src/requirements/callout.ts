import type { MarkdownBlock, MarkdownParagraph } from './markdown.js';

/** Matches the first line of a callout: "[!NOTE]", "**Important:** the rest", "⚠️ the rest". */
const mark =
  /^(?:\[!\w+\]|\p{Extended_Pictographic}|(?:\*\*|__)?(?:important|warning|attention|caution|constraints?|rules?|requirements?)\b[^:]{0,20}:)/iu;

/** Returns the text of a quote that is a callout of the author, and no quotation. */
export function calloutOf(block: MarkdownBlock): MarkdownParagraph | undefined {
  if (block.kind !== 'other' || !block.lines[0]?.startsWith('>')) return undefined;
  const lines = block.lines.map((line) => line.replace(/^(?:>\s?)+/, '').trim());
  if (!mark.test(lines[0] ?? '')) return undefined;
  const from = /^\[!\w+\]$/.test(lines[0] ?? '') ? 1 : 0;
  const end = lines.findIndex((line, index) => index >= from && line === '');
  const text = lines.slice(from, end === -1 ? undefined : end);
  return text.length === 0
    ? undefined
    : { kind: 'paragraph', line: block.line + from, lines: text };
}
