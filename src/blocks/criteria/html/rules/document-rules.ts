import type { Edit, Found } from '../../artifact-criterion.js';
import { attribute, type Element, isOfHtml, keyword, type Page, rawText, setOf } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { isPlaceholder, isUnknown } from '../model/roles.js';
import { foundAt, freeIds, setAttribute } from '../page.js';
import { type Answer, type HtmlRule, type HtmlSubject, htmlRule, ofDocuments } from '../rule.js';

const viewportTag = '<meta name="viewport" content="width=device-width, initial-scale=1">';
const twentyHours = 72_000;

/** The rules for what stands once in a page: its title, viewport, refresh and ids. */
export const documentRules: readonly HtmlRule[] = [
  htmlRule({
    id: 'html-title',
    name: 'Page title',
    description: 'Every document has a non-empty <title>',
    category: 'missing',
    wcag: '2.4.2',
    act: ['2779a5'],
    things: 'documents',
    suggestedFix: 'Add a <title> that says what the page is for',
    everywhere: true,
    judge: ofDocuments((_html, { page }) => {
      const title = page.elements.find((one) => one.tagName === 'title' && isOfHtml(one));
      if (title === undefined) return ['the page has no title'];
      const isEmpty = rawText(title).trim() === '';
      return isEmpty ? [foundAt(page, title, { description: 'the title is empty' })] : [];
    }),
  }),
  htmlRule({
    id: 'viewport',
    name: 'Viewport',
    description: 'Every document sets its width to the width of the device',
    category: 'missing',
    version: 2,
    wcag: '1.4.10',
    things: 'documents',
    suggestedFix: `Add ${viewportTag} to the head`,
    repairs: true,
    everywhere: true,
    judge: ofDocuments((_html, { page }) => judgeViewport(page)),
  }),
  htmlRule({
    id: 'viewport-zoom',
    name: 'Zoom',
    description: 'Every viewport allows zooming to twice the size',
    wcag: '1.4.4',
    act: ['b4f0c3'],
    things: 'viewports',
    suggestedFix: 'Remove user-scalable and maximum-scale',
    everywhere: true,
    judge: () => (element) => {
      if (!isViewport(element)) return undefined;
      if (isUnknown(element, 'content')) return { unchecked: 'the viewport comes from a template' };
      return blocksZoom(attribute(element, 'content') ?? '')
        ? ['the viewport prevents zooming to twice the size']
        : [];
    },
  }),
  htmlRule({
    id: 'meta-refresh',
    name: 'No delayed refresh',
    description: 'No meta element reloads or redirects a page after a delay of up to 20 hours',
    wcag: '2.2.1',
    act: ['bc659a'],
    things: 'refreshing meta elements',
    suggestedFix: 'Redirect at once or on the server, and let people reload the page themselves',
    everywhere: true,
    judge: ({ page }) => {
      // a browser follows the first one
      const first = page.elements.find((element) => delayOf(element) !== undefined);
      return (element) => {
        const delay = element === first ? delayOf(element) : undefined;
        if (delay === undefined) return undefined;
        return delay > 0 && delay <= twentyHours
          ? [`the page refreshes itself after ${delay} seconds`]
          : [];
      };
    },
  }),
  htmlRule({
    id: 'duplicate-ids',
    name: 'Unique ids',
    description: 'Every id of a page is unique',
    version: 2,
    wcag: '4.1.2',
    act: ['3ea0c8'],
    things: 'ids',
    suggestedFix: 'Give every element a unique id, and correct the references',
    repairs: true,
    everywhere: true,
    judge: repeatedIds,
  }),
  htmlRule({
    id: 'attribute-unique',
    name: 'Unique attributes',
    description: 'No tag repeats an attribute',
    severity: 'minor',
    version: 2,
    act: ['e6952f'],
    things: 'pages',
    suggestedFix: 'Remove the repeated attribute: browsers ignore it',
    everywhere: true,
    judge:
      ({ page }) =>
      (element) =>
        element.tagName === 'html'
          ? firstOfTags(page).map((offset) => repeatedAt(page, offset))
          : undefined,
  }),
];

function judgeViewport(page: Page): Answer {
  const meta = page.elements.find(isViewport);
  if (meta === undefined)
    return [{ description: 'the page has no viewport meta element', edits: insertion(page) }];
  if (isUnknown(meta, 'content')) return [];
  const content = keyword(meta, 'content').replaceAll(/\s/g, '');
  if (/(?:^|[,;])(?:width=device-width|initial-scale=)/.test(content)) return [];
  const problem = {
    description: 'the viewport does not follow the width of the device',
    suggestedFix: 'Set content="width=device-width, initial-scale=1"',
  };
  return [foundAt(page, meta, problem)];
}

/** Returns the edit after the charset, or at the beginning of the head or of the html element. */
function insertion({ elements, source, doctypeEnd }: Page): readonly Edit[] | undefined {
  const started = (name: string): Element | undefined =>
    elements.find(
      ({ tagName, sourceCodeLocation }) => tagName === name && sourceCodeLocation?.startTag,
    );
  const charset = elements.find(
    (element) => element.tagName === 'meta' && attribute(element, 'charset') !== undefined,
  );
  const anchor = charset ?? started('head') ?? started('html');
  const place = anchor?.sourceCodeLocation;
  const at = (place?.startTag ?? place)?.endOffset ?? doctypeEnd;
  if (at === undefined) return undefined;
  const lineEnd = /^[ \t]{0,20}(\r?\n)/.exec(source.slice(at, at + 22))?.[1];
  if (lineEnd === undefined) return [{ start: at, end: at, text: viewportTag }];
  // like the charset, or like the line after the start of the head
  const line =
    (charset === undefined ? source.indexOf('\n', at) : source.lastIndexOf('\n', at - 1)) + 1;
  const indent = /^[ \t]{0,40}/.exec(source.slice(line, line + 40))?.[0] ?? '';
  return [{ start: at, end: at, text: `${lineEnd}${indent}${viewportTag}` }];
}

function isViewport(element: Element): boolean {
  return element.tagName === 'meta' && keyword(element, 'name') === 'viewport';
}

function blocksZoom(content: string): boolean {
  const given = new Map(
    Array.from(
      content.slice(0, 2000).matchAll(/(?<![a-z-])([a-z-]+)\s*=\s*([^\s,;=]+)/gi),
      ([, name = '', value = '']) => [name.toLowerCase(), value.toLowerCase()],
    ),
  );
  const scalable = given.get('user-scalable') ?? 'yes';
  const scale = given.get('maximum-scale') ?? 'device-width';
  return (
    !(
      /^(?:yes|device-(?:width|height))$/.test(scalable) ||
      Math.abs(Number.parseFloat(scalable)) >= 1
    ) ||
    !(
      /^device-(?:width|height)$/.test(scale) ||
      Number.parseFloat(scale) < 0 ||
      Number.parseFloat(scale) >= 2
    )
  );
}

function delayOf(element: Element): number | undefined {
  if (element.tagName !== 'meta' || keyword(element, 'http-equiv') !== 'refresh') return undefined;
  const content = attribute(element, 'content') ?? '';
  const whole = /^\s*(\d{0,9})(?:\.[\d.]*)?\s*(?:$|[;,\s])/.exec(content)?.[1];
  return whole === undefined || (whole === '' && !/^\s*\./.test(content))
    ? undefined
    : Number(whole);
}

function repeatedIds({ page }: PageModel, subject: HtmlSubject): (element: Element) => Answer {
  const answers = new Map<Element, Answer>();
  for (const [id, [first, ...others]] of page.byId) {
    if (first === undefined) continue;
    answers.set(first, []);
    const line = page.lineAt(first.sourceCodeLocation?.startOffset ?? 0);
    const description = `the id "${id.slice(0, 80)}" is already used in line ${line}`;
    const free = freeIds(page, id);
    const repeated = isPlaceholder(id) ? [] : others;
    for (const other of repeated) {
      const to = free.next().value;
      const edit = mayBeMeant(id, subject) ? undefined : setAttribute(other, 'id', to);
      answers.set(other, { judged: 0, problems: [{ description, edits: edit && [edit] }] });
    }
  }
  return (element) => answers.get(element);
}

const references = setOf(`
  for headers list form itemref popovertarget commandfor anchor style aria-labelledby aria-describedby
  aria-controls aria-owns aria-activedescendant aria-details aria-errormessage aria-flowto`);
const mentioned = new WeakMap<HtmlSubject['everyPage'], ReadonlySet<string>>();

/**
 * A reference, or any text that looks like one. An id that is not a plain word counts as mentioned.
 */
function mayBeMeant(id: string, { everyPage, others }: HtmlSubject): boolean {
  let words = mentioned.get(everyPage);
  if (words === undefined) {
    const texts = [
      ...others.map(({ content = '' }) => content),
      ...everyPage.flatMap(({ elements }) => elements.flatMap(codeOf)),
    ];
    words = new Set(texts.flatMap((text) => text.match(/[\w-]+/g) ?? []));
    mentioned.set(everyPage, words);
  }
  return words.has(id) || !/^[\w-]+$/.test(id);
}

function codeOf(element: Element): string[] {
  const values = element.attrs.filter(
    ({ name, value }) => references.has(name) || /^(?:on|data-)/.test(name) || value.includes('#'),
  );
  const isCode = element.tagName === 'script' || element.tagName === 'style';
  return [...(isCode ? [rawText(element)] : []), ...values.map(({ value }) => value)];
}

/** Returns the first repeated attribute of each tag. A tag may repeat one a million times. */
function firstOfTags({ source, repeatedAttributes }: Page): number[] {
  return repeatedAttributes.filter((offset, index) => {
    const before = repeatedAttributes[index - 1];
    return before === undefined || source.slice(before, offset).includes('<');
  });
}

/** A quote ends at the tag, and has at most 500 characters. */
function repeatedAt({ file, source, lineAt }: Page, offset: number): Found {
  const from = Math.max(0, offset - 400);
  const start = source.slice(from, offset).lastIndexOf('<');
  const end = source.slice(offset, offset + 100).indexOf('>');
  return {
    file,
    line: lineAt(offset),
    evidence: source.slice(Math.max(start, 0) + from, offset + (end === -1 ? 100 : end + 1)),
    description: 'a tag repeats an attribute',
  };
}
