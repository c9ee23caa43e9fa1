import type { Kind } from '../../../requirements/claim/kinds.js';
import { type Markdown, readMarkdown } from '../markdown.js';
import { withoutMarkup } from './document-text.js';

/** One thing in a Markdown text, with the text that it shows. */
export interface MarkdownThing {
  readonly start: number;
  readonly text: string;
}

/** The things of one kind: those that are certain, and how many more there may be. */
export interface MarkdownThings {
  readonly sure: readonly MarkdownThing[];
  readonly more: number;
}

const item = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
const link = /(?<!!)\[([^\][\n]{1,300})\]\(\s{0,5}[^()\s]{1,500}(?:\s[^()\n]{0,300})?\)/g;
const image = /!\[([^\][\n]{0,300})\]\(\s{0,5}[^()\s]{1,500}(?:\s[^()\n]{0,300})?\)/g;

/** Returns the things of a kind in a Markdown text, or `undefined` for kinds that it lacks. */
export function markdownThings(
  kind: Kind,
  source: string,
  text?: string | undefined,
): MarkdownThings | undefined {
  // a section with a name is a heading with that name
  const find = finders[kind === 'section' && text !== undefined ? 'heading' : kind];
  if (find === undefined) return undefined;
  const { sure, more } = find(readMarkdown(source));
  const tag = tagsOf[kind];
  const tags =
    tag === undefined ? 0 : (source.match(new RegExp(`<(?:${tag})\\b`, 'gi'))?.length ?? 0);
  return { sure, more: more + tags };
}

type Find = (markdown: Markdown) => MarkdownThings;

const tagsOf: Readonly<Partial<Record<Kind, string>>> = {
  heading: 'h[1-6]|b|strong|summary',
  section: 'h[1-6]|section|details',
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  h5: 'h5',
  h6: 'h6',
  link: 'a|https?:|mailto:',
  image: 'img|svg|picture',
  table: 'table',
  list: 'ul|ol|dl|li',
  'ordered-list': 'ol|li',
  'bullet-list': 'ul|li',
  'list-item': 'li',
  'code-block': 'pre|code',
  paragraph: 'p|div',
  blockquote: 'blockquote',
};

const finders: Readonly<Partial<Record<Kind, Find>>> = {
  heading: (markdown) => ({ sure: headingsOf(markdown), more: boldLines(markdown) }),
  section: sectionsOf,
  h1: level(1),
  h2: level(2),
  h3: level(3),
  h4: level(4),
  h5: level(5),
  h6: level(6),
  link: ({ plain }) => ({
    sure: matched(plain, link),
    more: count(
      plain.replaceAll(link, ' ').replaceAll(image, ' '),
      /\]\[[^\]\n]{0,300}\]|\bhttps?:\/\/|\bwww\./g,
    ),
  }),
  image: ({ plain }) => ({
    sure: matched(plain, image),
    more: count(plain.replaceAll(image, ' '), /!\[/g),
  }),
  table: tablesOf,
  list: (markdown) => listsOf(markdown, item),
  'ordered-list': (markdown) => listsOf(markdown, /^[ \t]*\d{1,9}[.)][ \t]+\S/),
  'bullet-list': (markdown) => listsOf(markdown, /^[ \t]*[-*+][ \t]+\S/),
  'list-item': itemsOf,
  'code-block': codeBlocksOf,
  paragraph: paragraphsOf,
  blockquote: (markdown) => groupsOf(markdown, 'quote'),
};

interface Heading extends MarkdownThing {
  readonly level: number;
}

function headingsOf({ headings, lines }: Markdown): Heading[] {
  const starts = new Map(lines.map((line, index) => [line.start, index]));
  return headings.map(({ text, start }) => {
    const index = starts.get(start) ?? -1;
    const marks = /^ {0,3}(#{1,6})/.exec(lines[index]?.text ?? '')?.[1];
    const underline = lines[index + 1]?.text.trim() ?? '';
    return {
      start,
      text: withoutMarkup(text),
      level: marks?.length ?? (underline.startsWith('=') ? 1 : 2),
    };
  });
}

/** Sections are surely those under the highest headings below the title. */
function sectionsOf(markdown: Markdown): MarkdownThings {
  const headings = headingsOf(markdown);
  const highest = Math.min(
    ...headings.slice(0, 10_000).map(({ level: own }) => (own > 1 ? own : 7)),
  );
  const sure = headings.filter(({ level: own }) => own === highest);
  return { sure, more: headings.length - sure.length + boldLines(markdown) + 1 };
}

function level(wanted: number): Find {
  return (markdown) => ({
    sure: headingsOf(markdown).filter((heading) => heading.level === wanted),
    more: 0,
  });
}

/** Returns the number of lines that look like headings: bold text alone in its line. */
function boldLines({ lines }: Markdown): number {
  return lines.filter(({ text }) => /^\s*(?:\*\*|__)[^*_]{1,200}(?:\*\*|__):?\s*$/.test(text))
    .length;
}

function matched(plain: string, pattern: RegExp): MarkdownThing[] {
  return Array.from(plain.matchAll(pattern), ({ 1: text = '', index }) => ({
    start: index,
    text: withoutMarkup(text),
  }));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** A table is surely one where a row of hyphens follows a row with the same sign between cells. */
function tablesOf({ lines }: Markdown): MarkdownThings {
  const rows = lines.filter(
    ({ kind, text }, index) =>
      kind !== 'code' &&
      text.includes('|') &&
      text.includes('--') &&
      /^[\s|:-]+$/.test(text) &&
      lines[index - 1]?.text.includes('|') === true,
  );
  const others = lines.filter(({ kind }) => kind === 'table').length;
  return {
    sure: rows.map(({ start }) => ({ start, text: '' })),
    more: rows.length === 0 ? others : 0,
  };
}

/** Where lists end is a matter of opinion: one is certain, each item may begin another. */
function listsOf({ lines }: Markdown, marker: RegExp): MarkdownThings {
  const items = lines.filter(({ kind, text }) => kind === 'list' && marker.test(text));
  const [first] = items;
  return {
    sure: first === undefined ? [] : [{ start: first.start, text: '' }],
    more: Math.max(0, items.length - 1) + lines.filter(({ text }) => /^\s*[•–]/.test(text)).length,
  };
}

function itemsOf({ lines }: Markdown): MarkdownThings {
  const items = lines.filter(({ kind, text }) => kind === 'list' && item.test(text));
  const outer = items.filter(({ text }) => !/^[ \t]/.test(text));
  return {
    sure: outer.map(({ start, text }) => ({ start, text: withoutMarkup(text) })),
    more: items.length - outer.length + lines.filter(({ text }) => /^\s*[•–]/.test(text)).length,
  };
}

function codeBlocksOf({ lines, unclosed }: Markdown): MarkdownThings {
  const code = lines.filter(({ kind }) => kind === 'code');
  const fences = code.filter(({ text }) =>
    /^[\s>]*(?:[-*+] +|\d+[.)] +)?(?:`{3,}|~{3,})/.test(text),
  );
  const marks = new Set(fences.map(({ text }) => /`{3,}|~{3,}/.exec(text)?.[0]));
  if (unclosed.length > 0 || fences.length % 2 === 1 || marks.size > 1)
    return { sure: [], more: code.length };
  return {
    sure: fences.filter((_, index) => index % 2 === 0).map(({ start }) => ({ start, text: '' })),
    more:
      fences.length === 0
        ? code.length
        : indented(
            code.map(({ text }) => text),
            fences.length,
          ),
  };
}

function indented(code: readonly string[], fences: number): number {
  return code.length > fences && code.some((text) => /^(?: {4}|\t)/.test(text)) ? code.length : 0;
}

function paragraphsOf(markdown: Markdown): MarkdownThings {
  const { lines } = markdown;
  const texts = groupsOf(markdown, 'text', true);
  const others = lines.filter(({ kind }) => kind === 'quote' || kind === 'list' || kind === 'html');
  return { sure: texts.sure, more: texts.more + others.length };
}

/** Returns groups of lines of one kind. With `separate`, each group is surely one thing. */
function groupsOf({ lines }: Markdown, wanted: string, separate = false): MarkdownThings {
  const first = lines.filter(
    ({ kind }, index) => kind === wanted && lines[index - 1]?.kind !== wanted,
  );
  const sure = (separate ? first : first.slice(0, 1)).map(({ start, text }) => ({
    start,
    text: withoutMarkup(text),
  }));
  return { sure, more: first.length - sure.length };
}
