import type { Found } from '../artifact-criterion.js';
import { isMarkdown, isPage } from '../files/file-kind.js';
import { foundAt, type TextFile } from '../files/file-rule.js';
import { fillIns, pageText } from './fill-ins.js';
import { readMarkdown } from './markdown.js';

const filler = /lorem ipsum dolor sit amet/gi;
const marks: readonly RegExp[] = [
  /^[ \t]*(?:[-*+>][ \t]+|\d{1,3}[.)][ \t]+)?(?:\*\*|__)?(?:TODO|FIXME|TBD|TBC)(?:\*\*|__)?[ \t]*(?::|\(|$)/gm,
  /:[ \t]*(?:(?:\*\*|__)[ \t]*)?(?:TODO|FIXME|TBD|TBC)\.?(?:\*\*|__)?[ \t]*$/gm,
  /(?<=[.!?][ \t]{1,2})(?:TODO|FIXME|TBD):[ \t]+(?=\S)/g,
  /\[(?:TODO|FIXME|TBD|TBC)(?::[^\]\n]{0,200})?\](?![([:])/g,
  /\|[ \t]*(?:TODO|TBD|TBC)[ \t]*(?=\|)/g,
  /\[(?:INSERT|ADD|ENTER)[ :][^\]\n]{1,80}\](?![([:])/g,
  /\[(?:insert|add|put|enter|your)[ :][^\]\n]{1,60} here\](?![([:])/gi,
  /\[your (?:full )?(?:name|company|company name|email|e-mail|address|title|phone(?: number)?|city|date)\](?![([:])/gi,
];
const htmlMarks: readonly RegExp[] = [
  /<!--[ \t]*(?:TODO|FIXME|TBD)\b[^\n]{0,200}/g,
  />[ \t\r\n]*(?:TODO|TBD|FIXME)(?:[ \t]*:[^<\n]{0,200})?[ \t\r\n]*</g,
  />[^<\n]{0,200}\[(?:insert|your) [^\]<\n]{1,60}\]/gi,
];

/**
 * Finds placeholders that somebody meant to replace. Marks in code, quotes, headings or sentences
 * do not count, because a text may be about such marks.
 */
export function placeholdersIn(file: TextFile): Found[] {
  const page = isPage({ path: file.file, type: file.type });
  const text = page
    ? file.source
    : isMarkdown({ path: file.file, type: file.type })
      ? visibleMarkdown(file.source)
      : file.source;
  const seen = page ? pageText(text) : text;
  const ranges = [
    ...(page ? htmlMarks : marks).flatMap((pattern) => rangesOf(text, pattern)),
    ...fillIns(seen).map(rangeOf),
    ...fillers(text, page),
  ].sort((a, b) => a.start - b.start);
  const lines = new Set<number>();
  return ranges.flatMap((range) => {
    const start =
      range.start + (/^[\s>|:]*/.exec(text.slice(range.start, range.end))?.[0].length ?? 0);
    const line = file.lineAt(start);
    if (lines.has(line)) return [];
    lines.add(line);
    return [
      foundAt(
        file,
        { start, end: range.end },
        {
          description: `a placeholder was left: ${text.slice(start, range.end).trim().slice(0, 80)}`,
          suggestedFix: 'Replace it with the real content',
        },
      ),
    ];
  });
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangesOf(text: string, pattern: RegExp): Range[] {
  return Array.from(text.matchAll(pattern), rangeOf);
}

function rangeOf({ 0: found, index }: RegExpExecArray): Range {
  return { start: index, end: index + found.length };
}

/** Finds filler text, unless it is quoted or the text is about filler texts. */
function fillers(text: string, page: boolean): Range[] {
  const mentions =
    text.match(/lorem[ -]ipsum(?! dolor)|placeholder text|(?:filler|dummy) text/gi)?.length ?? 0;
  if (!page && mentions >= 2) return [];
  return rangesOf(text, filler).filter(
    ({ start }) => !/["'“”‘«„(*_=]\s?$/.test(text.slice(Math.max(0, start - 2), start)),
  );
}

function visibleMarkdown(source: string): string {
  const { lines, plain } = readMarkdown(source);
  let text = plain;
  const parts: string[] = [];
  let at = 0;
  for (const { kind, start, text: line } of lines) {
    if (kind !== 'heading' && kind !== 'quote') continue;
    parts.push(text.slice(at, start), ' '.repeat(line.length));
    at = start + line.length;
  }
  text = parts.join('') + text.slice(at);
  return text;
}
