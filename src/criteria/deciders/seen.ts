import { type Artifact, artifactsOf } from '../../core/artifact.js';
import { isMarkdown, isText } from '../files/file-kind.js';
import { attribute, type Element, ownText, type Page, parentOf, textOf } from '../html/dom.js';
import { modelOf } from '../html/model/page-model.js';
import { isHtml } from '../html/page.js';
import { readMarkdown } from '../text/markdown.js';

/** A file by what a reader surely sees of it. */
export interface Seen {
  readonly file: string;
  readonly source: string;
  readonly passages: readonly { readonly text: string; readonly start: number }[];
  /** The letters and digits of all that it may show. */
  readonly letters: string;
  /** Whether a picture, a frame or a style may show a text, too. */
  readonly hasOthers: boolean;
}

/** A page by what a reader surely sees of it, with its styles. */
export interface SeenPage extends Seen {
  readonly page: Page;
  readonly css: string;
  readonly isShown: (element: Element) => boolean;
}

/** Returns a text for exact comparison: one kind of space and of quotes, no invisible characters. */
export function exactText(text: string): string {
  const visible = text.replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '');
  return visible.replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, ' ').trim();
}

/** Returns only the letters and digits of a text, in lower case, to find anything like it. */
export function looseText(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Plans and tasks prove that something is planned, and nothing else. */
const plan =
  /(?:^|\/)(?:plans?|tasks?|todos?|to-do|requirements?|specs?|notes?|backlog|roadmap|changelog|prompt|brief|issue)(?:[._-][\w.-]*)?\.\w+$/i;
/** Matches marks in a line of Markdown that may hide some of it. */
const marked = /[[\]<~_`|\\&]|\{[{%]/;

/** Returns the named text, or the only one of an output without pages. */
export function seenText(place: string, output: unknown): Seen | undefined {
  const artifacts = artifactsOf(output);
  const texts = artifacts.filter(
    (one) => isText(one) && !isHtml(one) && !/\.(?:mdx|rst|a(?:scii)?doc)$/i.test(one.path),
  );
  const isMeant = ({ path }: Artifact): boolean =>
    place === 'text' ? !plan.test(path) && !artifacts.some(isHtml) : plainPath(path) === place;
  const [text, ...more] = texts.filter(isMeant);
  if (text?.content === undefined || more.length > 0 || text.content.trim() === '')
    return undefined;
  const { path: file, content: source } = text;
  const hasOthers = /!\[|<[a-z]|&#?\w|\{[{%]/i.test(source);
  const seen = { file, source, letters: looseText(source), hasOthers };
  if (!isMarkdown(text)) return { ...seen, passages: [{ text: source, start: 0 }] };
  const { lines, plain } = readMarkdown(source);
  const passages = lines.flatMap(({ kind, start, text: line }) => {
    const shown = plain.slice(start, start + line.length);
    const isPlain = kind !== 'front' && !marked.test(shown) && !/<[a-z]|\{[{%]/i.test(plain);
    return isPlain ? [{ text: shown.replaceAll('*', ''), start }] : [];
  });
  return { ...seen, passages };
}

export function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

/** Matches styles that may hide or change text: all but dark letters on a light ground in place. */
const hiding =
  /display\s*:\s*(?:none|var|contents|inline(?!-))|visibility|opacity|clip|mask|filter|animation|bidi|-spacing|overflow\s*:\s*hidden|position\s*:\s*(?:absolute|fixed)|text-(?:indent|transform|fill)|font(?:-size)?\s*:\s*(?:0|\.|1p)|(?<=[\s:(,])-\d{2}|z-index\s*:\s*-|(?<![\w-])(?:max-)?(?:height|width)\s*:\s*(?:0|1px)|scale|translate|rotate|zoom|(?<![\w-])color\s*:\s*(?!#[0-5]|black|inherit)|background(?:-\w+)?\s*:\s*(?!#[c-f]|white|none|inherit)/i;
/** Elements whose content shows only in some states, or instead of something else. */
const folded =
  /^(?:dialog|noscript|template|option|optgroup|datalist|rp|noframes|audio|video|canvas|object|iframe|map|del|s|strike|svg|math|textarea|select|marquee|font|title)$/;
/** Elements that stand within a line, so that their text may go on beside them. */
const inline =
  /-|^(?:a|abbr|b|bdi|bdo|big|cite|code|data|dfn|em|i|ins|kbd|label|mark|output|q|rb|rt|ruby|samp|small|span|strong|sub|sup|time|tt|u|var)$/;
const marking = /^(?:popover|hidden|bgcolor|background|text|color)=|^(?:width|height)=[01](?:px)?$/;
const others = /^(?:img|picture|video|canvas|iframe|frame|object|embed|svg)$/;
const filled = /\{\{|\{%|<%|\$\{|<\?|#\{/;
const changing = /^(?:on[a-z]{3,}|(?:v|x|ng)-[^=]*|[:@*[(#{][^=]*)=|=\s*(?:javascript:|refresh)/i;
const running = /^(?:|module|importmap|\w+\/(?:javascript|ecmascript|babel|jsx))$/i;

/**
 * Returns what a reader sees of a page, or `undefined` if the source does not tell: scripts,
 * templates, or a style sheet that was not given may change it.
 */
export function seenPage(page: Page, artifacts: readonly Artifact[]): SeenPage | undefined {
  const { file, source, elements } = page;
  const sheets = sheetsOf(page, artifacts);
  if (sheets === undefined || filled.test(source) || elements.some(mayChange)) return undefined;
  const css = [sheets, ...elements.map((one) => attribute(one, 'style') ?? '')].join(';}\n');
  const mayHide = hiding.test(`${css};`);
  const isShown = (element: Element): boolean =>
    !mayHide && modelOf(page).exposure.isShown(element) && !isFolded(element);
  const values = elements.flatMap(({ attrs }) => attrs.map(({ value }) => value));
  const all = elements.filter(({ tagName }) => tagName === 'html').map(textOf);
  const passages = elements.flatMap((element) => {
    const start = element.sourceCodeLocation?.startTag?.endOffset;
    const text = inline.test(element.tagName) ? undefined : ownText(element);
    return start && text !== undefined && isShown(element) ? [{ text, start }] : [];
  });
  const letters = [...all, ...values, css, source].map(looseText).join('\n');
  const hasOthers =
    elements.some(({ tagName }) => others.test(tagName)) || /content\s*:|url\(/i.test(css);
  return { page, file, source, css, isShown, passages, letters, hasOthers };
}

function isFolded(element: Element): boolean {
  for (let at: Element | undefined = element; at !== undefined; at = parentOf(at)) {
    const isClosed = at.tagName === 'details' && attribute(at, 'open') === undefined;
    const isMarked = at.attrs.some(({ name, value }) => marking.test(`${name}=${value}`));
    if (isClosed || isMarked || folded.test(at.tagName)) return true;
  }
  return false;
}

/** Returns whether an element runs a script, leads elsewhere or is filled in by a program. */
function mayChange({ tagName, attrs }: Element): boolean {
  const type = attrs.find(({ name }) => name === 'type')?.value ?? '';
  if (tagName === 'script') return running.test(type.trim());
  return attrs.some(({ name, value }) => changing.test(`${name}=${value}`));
}

/** Returns the styles of a page, or `undefined` if a style sheet was not given. */
function sheetsOf({ elements, file }: Page, artifacts: readonly Artifact[]): string | undefined {
  const folder = plainPath(file).replace(/[^/]*$/, '');
  const sheets = elements.map((element) => {
    if (element.tagName === 'style') return textOf(element);
    const rel = element.tagName === 'link' ? attribute(element, 'rel') : undefined;
    const path = folder + plainPath(attribute(element, 'href') ?? '');
    if (!/stylesheet/i.test(rel ?? '')) return '';
    return artifacts.find((one) => plainPath(one.path) === path)?.content;
  });
  const styles = sheets.join(';}\n');
  return sheets.includes(undefined) || /@import/i.test(styles) ? undefined : styles;
}
