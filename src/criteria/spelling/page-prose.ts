import { attribute, type Element, type Page } from '../html/dom.js';
import type { Prose } from './prose.js';

/** Elements whose text is code, or is not shown. */
const noProse =
  /^(?:script|style|code|pre|kbd|samp|var|tt|math|svg|template|textarea|noframes|object|select|address)$/;
const shownAttributes = [
  'alt',
  'title',
  'placeholder',
  'aria-label',
  'aria-description',
  'summary',
];

/** The visible text of a page in one language, and the other languages that it names. */
export interface PageProse {
  readonly prose: Prose;
  readonly others: readonly string[];
}

/** Returns the visible text of a page. Elements in another language than the given one are blank. */
export function pageProse(page: Page, language: string): PageProse {
  const others = new Set<string>();
  const pieces: Piece[] = [];
  const known = new Map<Element, About>();
  for (const element of page.elements) {
    const parent = element.parentNode;
    const above = parent !== null && 'tagName' in parent ? known.get(parent) : undefined;
    const about = aboutOf(element, above);
    known.set(element, about);
    if (!about.isProse) continue;
    const own = piecesOf(element).filter(({ start, end }) =>
      /\p{L}/u.test(page.source.slice(start, end)),
    );
    if (primary(about.language ?? language) === primary(language)) pieces.push(...own);
    else if (own.length > 0) others.add(primary(about.language ?? ''));
  }
  const { file, source } = page;
  return { prose: { file, source, text: textAt(source, pieces) }, others: [...others] };
}

/** Returns the language of a tag such as `en-GB`. */
function primary(tag: string): string {
  return (tag.split('-')[0] ?? '').toLowerCase();
}

interface About {
  readonly isProse: boolean;
  readonly language: string | undefined;
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

function aboutOf(element: Element, above: About | undefined): About {
  const own = (attribute(element, 'lang') ?? attribute(element, 'xml:lang'))?.trim().toLowerCase();
  return {
    isProse:
      above?.isProse !== false &&
      !noProse.test(element.tagName) &&
      attribute(element, 'translate')?.toLowerCase() !== 'no' &&
      attribute(element, 'hidden') === undefined,
    language: own === undefined || own === '' ? above?.language : own,
  };
}

function piecesOf(element: Element): Piece[] {
  const texts = element.childNodes.flatMap((node) => {
    const place = node.nodeName === '#text' ? node.sourceCodeLocation : undefined;
    return place ? [{ start: place.startOffset, end: place.endOffset }] : [];
  });
  const attrs = element.sourceCodeLocation?.attrs ?? {};
  const labels = shownAttributes.flatMap((name) => {
    const place = attrs[name];
    return place === undefined
      ? []
      : [{ start: place.startOffset + name.length + 1, end: place.endOffset }];
  });
  return [...texts, ...labels];
}

/** Returns the pieces at their places. A word with a character reference is blank as a whole. */
function textAt(source: string, pieces: readonly Piece[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of [...pieces].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(blankOf(source.slice(at, start)), withoutReferences(source.slice(start, end)));
    at = end;
  }
  parts.push(blankOf(source.slice(at)));
  return parts.join('');
}

function blankOf(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}

function withoutReferences(text: string): string {
  if (!/[&{<$]/.test(text)) return text;
  return text
    .replaceAll(/&(?:nbsp|[lr]?[ds]?quot?|amp|[lg]t|[mn]dash|hellip|apos);/g, blankOf)
    .replaceAll(/[^\s&]{0,100}&#?\w{1,30};[^\s&]{0,100}/g, blankOf)
    .replaceAll(/\{\{[^{}]{0,500}\}\}|<%[^%]{0,500}%>|\$\{[^{}]{0,500}\}/g, blankOf);
}
