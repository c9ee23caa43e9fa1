import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { CoverageEvidence } from '../../../core/coverage.js';
import type { Finding, RequirementDecision } from '../../../core/criterion.js';
import { isMarkdown, isText } from '../files/file-kind.js';
import {
  attribute,
  type Element,
  ownText,
  type Page,
  parentOf,
  rawText,
  textOf,
} from '../html/dom.js';
import { htmlRules } from '../html/html-criteria.js';
import { modelOf } from '../html/model/page-model.js';
import { explicitRole } from '../html/model/roles.js';
import { foundAt, isHtml, pagesOf } from '../html/page.js';
import { judgeByRule } from '../html/rule.js';
import { sourceLines } from '../source-lines.js';
import { readMarkdown } from '../text/markdown.js';
import type { Asked, Quantity } from './asked.js';

export async function decideAsked(
  asked: Asked,
  output: Artifacts,
): Promise<RequirementDecision | undefined> {
  return decided(asked, await findingsOf(asked, output));
}

/** The verdict only if it is certain. */
interface Found {
  readonly file: string;
  readonly verdict: boolean | undefined;
  readonly shown?: readonly CoverageEvidence[];
  readonly reportedBy?: string | undefined;
}

/** Returns what each file says that a sentence is about, or nothing if one of them is unclear. */
async function findingsOf(asked: Asked, output: Artifacts): Promise<readonly Found[]> {
  const { about, place } = asked;
  if (about === 'files') return [fileFound(place, output)];
  const isText = about === 'quoted-text' || about === 'text-length';
  const find = about === 'quoted-text' ? textFound : lengthFound;
  const other = about === 'html-elements' ? elementsFound : ruleFound;
  const text = isText ? seenText(place, output) : undefined;
  if (text !== undefined) return [find(asked, text)];
  const artifacts = artifactsOf(output);
  const { pages } = await pagesOf(output);
  const chosen = pages.filter(({ file }) => place.endsWith('page') || plainPath(file) === place);
  const seen = chosen.flatMap((page) => seenPage(page, artifacts) ?? []);
  if (artifacts.filter(isHtml).length > pages.length || seen.length < chosen.length) return [];
  return seen.map((page) => (isText ? find : other)(asked, page));
}

/** Several files must agree. "Every page", and all things of a kind, are violated by one of them. */
function decided(
  { about, place, noun, text = '' }: Asked,
  found: readonly Found[],
): RequirementDecision | undefined {
  const satisfied = found.every(({ verdict }) => verdict === true);
  const told = satisfied ? found : found.filter(({ verdict }) => verdict === false);
  const isEach = place === 'every page' || about === 'names';
  if (told.length === 0 || (!isEach && told.length < found.length)) return undefined;
  const evidence = told.flatMap(({ shown = [] }) => shown).slice(0, 5);
  const files = told.map(({ file }) => file).slice(0, 5);
  const what = [about, noun, text.slice(0, 80)].filter((part) => part !== '').join(' ');
  return {
    satisfied,
    explanation: `${what}: ${satisfied ? '' : 'not '}as asked for in ${files.join(', ')}`,
    ...(evidence.length > 0 ? { evidence } : !satisfied && { files }),
    ...(!satisfied && { reportedBy: told[0]?.reportedBy }),
  };
}

const placeIn = (file: string, { line = 1, evidence: quote = '' }: Partial<Finding>) => ({
  ...{ file, line, quote, share: 1 },
});

function within({ least, most }: Quantity, low: number, high: number): boolean | undefined {
  if (low >= least && high <= most) return true;
  return high < least || low > most ? false : undefined;
}

/** A file with content. One whose name begins with a dot may have been left out. */
function fileFound(path: string, output: Artifacts): Found {
  const name = path.toLowerCase().split('/').at(-1) ?? '';
  const near = artifactsOf(output).filter((one) => one.path.toLowerCase().endsWith(name));
  const content = near.find((one) => plainPath(one.path) === path)?.content ?? '';
  const isMissing = near.length === 0 && output.result === undefined && !/(?:^|\/)\./.test(path);
  return { file: path, verdict: content.trim() !== '' || (isMissing ? false : undefined) };
}

const hasLetters = (text = ''): boolean => /[\p{L}\p{N}]/u.test(text);

const promise =
  /\b(?:TODO|FIXME|TBD|TBC|not yet|coming soon|placeholder|(?:to|will) be (?:added|written|done|decided|defined))\b|\[ \]/i;

/** A text that occurs in other letters, or may stand in a picture, decides nothing. */
function textFound({ text = '', quantity }: Asked, seen: Seen): Found {
  const { file, source, passages, letters, hasOthers } = seen;
  const literal = exactText(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const words = new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'u');
  const found = passages.find((one) => words.test(exactText(one.text)) && !promise.test(one.text));
  const mayBe = letters.includes(looseText(text)) || (quantity.most === 0 && hasOthers);
  const verdict = within(quantity, found === undefined ? 0 : 1, mayBe ? Infinity : 0);
  if (found === undefined) return { file, verdict };
  const at = Math.max(found.start, source.indexOf(text, found.start));
  const { lineAt, quoteAt } = sourceLines(source);
  return { file, verdict, shown: [placeIn(file, { line: lineAt(at), evidence: quoteAt(at) })] };
}

function lengthFound({ noun, quantity }: Asked, { file, source, passages }: Seen): Found {
  const shown = passages
    .map(({ text }) => exactText(text))
    .join(' ')
    .trim();
  const [low, high] =
    noun === 'words'
      ? [
          shown.split(' ').filter(hasLetters).length,
          source.match(/\p{Lo}|[\p{L}\p{N}]+/gu)?.length ?? 0,
        ]
      : [Array.from(shown).length, source.length];
  return { file, verdict: within(quantity, low, high) };
}

/** The tags of a kind of element, and what else in a page somebody may call so. */
const kinds: Readonly<Record<string, readonly [tags: RegExp, others: RegExp]>> = {
  heading: [/^h[1-6]$/, /./],
  image: [/^img$/, /<(?:svg|picture|canvas|video|input)|url\(/i],
  link: [/^a$/, /<(?:area|button)/i],
  button: [/^button$/, /<(?:a|input|summary)\b/i],
  form: [/^form$/, /<(?:input|select|textarea|button)/i],
  table: [/^table$/, /display\s*:/i],
};

const embedding = /<(?:iframe|frame|object|embed|template)\b|role=|aria-level/i;

function elementsFound({ noun, text, quantity }: Asked, seen: SeenPage): Found {
  const { page, file, source, css, letters, isShown } = seen;
  const tag = new RegExp(`^${noun.replace(/^`?<|>.*| .*/g, '')}$`);
  const [tags, others] = kinds[noun] ?? [tag, embedding];
  const all = page.elements.filter(({ tagName }) => tags.test(tagName));
  const sure = all.filter((element) => {
    const words = [textOf(element), modelOf(page).names.nameOf(element), attribute(element, 'src')];
    const isFilled = words.some(hasLetters) || (noun === 'form' && element.childNodes[0]);
    const isIt = text === undefined || exactText(ownText(element) ?? '') === exactText(text);
    const isPlain = element.tagName !== 'a' || attribute(element, 'href') !== undefined;
    return isFilled && isIt && isPlain && isShown(element) && explicitRole(element) === undefined;
  });
  const mayBe = embedding.test(source) || others.test(source + css);
  const isOpen = text === undefined ? mayBe : letters.includes(looseText(text));
  const most = isOpen ? Infinity : text === undefined ? all.length : sure.length;
  const shown = sure.map((one) => placeIn(file, foundAt(page, one, { description: noun })));
  return { file, verdict: within(quantity, sure.length, most), shown };
}

type Has = (element: Element, seen: SeenPage, text: string | undefined) => unknown;

const isDescribed: Has = (element) => hasLetters(attribute(element, 'alt'));

const isNamed: Has = (element, { page }) => hasLetters(modelOf(page).names.nameBefore(element));

const isLabelled: Has = (element, { page, isShown }) =>
  /^(?:hidden|submit|button|reset)$/i.test(attribute(element, 'type') ?? '') ||
  modelOf(page)
    .names.labels.of(element)
    .some((label) => isShown(label) && hasLetters(rawText(label)));

const isTitled: Has = (element, _, text) =>
  text === undefined || exactText(rawText(element)) === exactText(text);

const ruled: Readonly<Record<string, readonly [rules: string, tags: string, has: Has]>> = {
  image: ['image-name image-file-name image-button-name', 'img svg object canvas', isDescribed],
  link: ['link-name', 'a area', isNamed],
  button: ['button-name', 'button', isNamed],
  field: ['field-name field-label', 'input select textarea', isLabelled],
  'html-title': ['html-title', 'title', isTitled],
  'html-lang': ['html-lang html-lang-valid', 'html', (one) => hasLetters(attribute(one, 'lang'))],
};

function ruleFound({ about, noun, text }: Asked, seen: SeenPage): Found {
  const { page, file } = seen;
  const [rules, tags, has] = ruled[noun || about] ?? ['', '', () => false];
  const judged = rules
    .split(' ')
    .flatMap((id) => htmlRules.find((rule) => rule.id === id) ?? [])
    .map((rule) => judgeByRule(rule, page));
  const findings = judged[0]?.findings ?? [];
  const elements = page.elements.filter(({ tagName }) => tags.split(' ').includes(tagName));
  const isClear = judged.every((one) => one.findings.length + one.unchecked.length === 0);
  const isKept = isClear && elements.length > 0 && elements.every((one) => has(one, seen, text));
  const isMissing = text && !seen.letters.includes(looseText(text));
  const shown = findings.map((one) => placeIn(file, one));
  const verdict = isKept || (isMissing || findings.length > 0 ? false : undefined);
  return { file, verdict, shown, reportedBy: rules.split(' ')[0] };
}

export interface Seen {
  readonly file: string;
  readonly source: string;
  readonly passages: readonly { readonly text: string; readonly start: number }[];
  readonly letters: string;
  /** Whether a picture, a frame or a style may show a text, too. */
  readonly hasOthers: boolean;
}

export interface SeenPage extends Seen {
  readonly page: Page;
  readonly css: string;
  readonly isShown: (element: Element) => boolean;
}

/** Returns a text for exact comparison: one kind of space and of quotes, no invisible characters. */
function exactText(text: string): string {
  const visible = text.replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '');
  return visible.replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, ' ').trim();
}

/** Returns only the letters and digits of a text, in lower case, to find anything like it. */
function looseText(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Plans and tasks prove that something is planned, and nothing else. */
const plan =
  /(?:^|\/)(?:plans?|tasks?|todos?|to-do|requirements?|specs?|notes?|backlog|roadmap|changelog|prompt|brief|issue)(?:[._-][\w.-]*)?\.\w+$/i;

/** Matches marks in a line of Markdown that may hide some of it. */
const marked = /[[\]<~_`|\\&]|\{[{%]/;

function seenText(place: string, output: unknown): Seen | undefined {
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

function plainPath(path: string): string {
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
function seenPage(page: Page, artifacts: readonly Artifact[]): SeenPage | undefined {
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

function mayChange({ tagName, attrs }: Element): boolean {
  const type = attrs.find(({ name }) => name === 'type')?.value ?? '';
  if (tagName === 'script') return running.test(type.trim());
  return attrs.some(({ name, value }) => changing.test(`${name}=${value}`));
}

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
