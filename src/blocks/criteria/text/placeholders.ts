import type { Found } from '../artifact-criterion.js';
import { isMarkdown, isPage } from '../files/file-kind.js';
import { foundAt, type TextFile } from '../files/file-rule.js';
import { blanked } from '../source-lines.js';
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
 * Marks in code, quotes, headings or sentences do not count, because a text may be about such
 * marks.
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
  const left = lines.filter(({ kind }) => kind === 'heading' || kind === 'quote');
  return blanked(
    plain,
    left.map(({ start, text }) => ({ start, end: start + text.length })),
  );
}

/** What a writer puts in brackets so that somebody fills it in: the last word of such a place. */
const nouns =
  '|name|names|surname|company|organisation|organization|employer|department|team|role|position|title|job|date|day|month|year|time|deadline|address|street|city|town|state|country|zip|postcode|phone|telephone|mobile|fax|email|e-mail|website|url|link|number|id|amount|price|cost|total|sum|percentage|currency|product|service|brand|client|customer|recipient|sender|signature|location|venue|reason|topic|subject|';

/** Words that may stand before it. */
const qualifiers =
  '|your|my|our|their|the|a|an|full|first|last|middle|family|given|legal|contact|company|client|customer|recipient|sender|employee|employer|manager|product|project|service|order|invoice|account|reference|tracking|ticket|phone|telephone|mobile|email|start|end|due|current|job|event|business|street|delivery|shipping|billing|insert|add|enter|specific|relevant|hiring|school|university|team|department|website|support|meeting|purchase|payment|previous|new|today|event|city|contract|policy|case|member|booking|flight|candidate|patient|student|owner|vendor|supplier|';

/**
 * Marks of places that somebody meant to fill in: `Dear [Name]`, `your order {order number}`,
 * `the sum of ___ is due`. A link, a footnote, a citation, a checkbox, a path, a field of a form
 * and a template with doubled braces are none. Single words such as `number` do not count in
 * brackets, since a manual names a type or an argument so. The words inside are looked up, because
 * a pattern of all of them would take longer to compile than a page takes to read.
 */
const places: readonly RegExp[] = [
  /(?<![\]\w!\\/=.$[-])\[(?!(?:number|id|url|link|time)\])([a-z'_ -]+)\](?![([:=\w{/])/gi,
  /(?<![\w$#%@{/.=:&?-])\{(?=[^{}]{1,60}[ _-])([a-z'_ -]+)\}(?![\w}/=(])/gi,
  /(?<=\b(?:dear|hi|hello|hey|sincerely|regards|yours|thanks),?[ \t\n]{1,2})(?:<([a-z'_ -]+)>|\{([a-z'_ -]+)\}(?!\}))/gi,
  /<(?:your|insert|enter)[ _-][a-z _-]{2,40}>/gi,
  /(?<=[a-z,] )_{3,40}(?= [a-z]|[.,;!?](?:\s|$))/g,
];

function fillIns(text: string): RegExpExecArray[] {
  const found = places.flatMap((place) => [...text.matchAll(place)]);
  return found.filter(({ 1: bracketed, 2: words = bracketed }) => !words || namesPlace(words));
}

function namesPlace(text: string): boolean {
  const words = text.toLowerCase().split(/(?!-mail$)[ _-]/);
  const noun = words.pop() ?? '';
  const isKnown = (word: string): boolean => qualifiers.includes(`|${word.replace(/'s$/, '')}|`);
  return nouns.includes(`|${noun}|`) && words.length <= 3 && words.every(isKnown);
}

const unseen = /<(script|style|template|textarea|pre|code)\b/gi;

const tagStart = /<[a-z/!]/gi;

const longestTag = 5002;

/** The text of a page at its places: tags, scripts, styles and code are blank. In linear time. */
export function pageText(source: string): string {
  const text = blanked(source, unseenIn(source));
  return blanked(text, tagsIn(text));
}

function* unseenIn(source: string): Generator<Range> {
  let end = 0;
  for (const { 0: opened, 1: name = '', index: start } of source.matchAll(unseen)) {
    if (start < end) continue;
    const close = new RegExp(`</${name}`, 'gi');
    close.lastIndex = start + opened.length;
    end = close.exec(source)?.index ?? source.length;
    yield { start, end };
  }
}

function* tagsIn(text: string): Generator<Range> {
  let end = 0;
  let close = -1;
  for (const { index: start } of text.matchAll(tagStart)) {
    if (start < end) continue;
    if (close < start) close = text.indexOf('>', start);
    if (close === -1) return;
    if (close - start > longestTag) continue;
    end = close + 1;
    yield { start, end };
  }
}
