import type { Found } from '../artifact-criterion.js';
import { foundAt, type TextFile } from '../files/file-rule.js';
import { type MarkdownLine, readMarkdown } from './markdown.js';

const closed = /[.!?:;…。！？：；｡।۔؟]["'”’»」』)\]*_`~]*$|[)\]}>"”’»」』|*_`~\p{S}]$/u;
const latin = /[a-z]/i;

/**
 * Returns whether a text ends in the middle of a sentence. It ignores headings, tables, code, links
 * and short last lines.
 */
export function cutOff(file: TextFile): Found[] {
  const { lines, unclosed } = readMarkdown(file.source);
  const last = lines.findLast(({ kind }) => kind !== 'blank');
  if (last === undefined || unclosed.length > 0 || !['text', 'list', 'quote'].includes(last.kind))
    return [];
  const text = last.text.trim();
  if (!endsEarly(text, last, lines)) return [];
  const start = last.start + (last.text.length - last.text.trimStart().length);
  return [
    foundAt(
      file,
      { start },
      {
        description: `the text ends in the middle of a sentence: ...${text.slice(-60)}`,
        suggestedFix: 'Write the rest, or end the sentence',
      },
    ),
  ];
}

function endsEarly(text: string, last: MarkdownLine, lines: readonly MarkdownLine[]): boolean {
  if (closed.test(text) || isAddress(lastWordOf(text)) || wordsIn(text) < 3) return false;
  if (/[,、，(–—]$/.test(text)) return true;
  // a list ends without a full stop, and so does a signature
  if (last.kind !== 'text' || !latin.test(text.slice(-1)) || text.startsWith('**')) return false;
  const ended = paragraphEnds(lines.slice(0, lines.indexOf(last)));
  const isProse =
    ended.length >= 5 && ended.filter((end) => closed.test(end)).length === ended.length;
  return isProse && wordsIn(text) >= 8;
}

function lastWordOf(text: string): string {
  return text.slice(Math.max(...[' ', '\t', '\u00A0'].map((space) => text.lastIndexOf(space))) + 1);
}

function isAddress(word: string): boolean {
  return /https?:/.test(word) || word.slice(1, -1).includes('@');
}

function paragraphEnds(lines: readonly MarkdownLine[]): string[] {
  return lines.flatMap(({ kind, text }, index) =>
    kind === 'text' && lines[index + 1]?.kind === 'blank' && wordsIn(text) >= 3
      ? [text.trim()]
      : [],
  );
}

function wordsIn(text: string): number {
  return text.split(/\s+/, 50).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
