import {
  ancestorsOf,
  attribute,
  childrenOf,
  closest,
  type Element,
  isFilled,
  parentOf,
  wordsIn,
} from '../dom.js';
import { baseRole, namedByContent } from '../model/aria.js';
import type { PageModel } from '../model/page-model.js';
import { isPlaceholder, semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, htmlRule } from '../rule.js';
import { isImageButton, isLink } from './name-rules.js';

/** The rules for names that say too little, or something else than what is seen. */
export const wordRules: readonly HtmlRule[] = [
  htmlRule({
    id: 'image-file-name',
    name: 'Text for images, not file names',
    description: 'No image has its file name as text',
    category: 'quality',
    version: 2,
    wcag: '1.1.1',
    act: ['9eb3f6'],
    things: 'images with a name',
    suggestedFix: 'Say what the image shows, or alt="" if it is decorative',
    judge:
      ({ names }) =>
      (element) => {
        const isImage =
          isImageButton(element) || (element.tagName === 'img' && semanticRole(element) === 'img');
        const name = isImage ? names.nameOf(element) : '';
        if (name === '') return undefined;
        return isPlaceholder(name)
          ? { unchecked: 'its name comes from a template' }
          : judgeName(name, element);
      },
  }),
  htmlRule({
    id: 'label-in-name',
    name: 'Visible text in the name',
    description: 'The name of a control contains its visible text',
    severity: 'minor',
    version: 2,
    wcag: '2.5.3',
    act: ['2ee8b8'],
    things: 'controls with a text and an aria-label',
    suggestedFix: 'Begin the aria-label with the visible text, or remove it',
    judge: (model) => (element) => {
      if (!['aria-label', 'aria-labelledby'].some((name) => attribute(element, name) !== undefined))
        return undefined;
      const role = semanticRole(element);
      if (!widget.test(baseRole(role)) || !namedByContent.has(role)) return undefined;
      const name = model.names.nameOf(element);
      if (name === '') return undefined;
      const seen = seenText(element, model);
      return seen === undefined
        ? { unchecked: 'its visible text is unknown' }
        : judgeText(seen, name, model);
    },
  }),
  htmlRule({
    id: 'link-purpose',
    name: 'Links say where they lead',
    description: 'No link is named "click here", or "read more" without text around it',
    severity: 'minor',
    category: 'quality',
    wcag: '2.4.4',
    things: 'links',
    suggestedFix: 'Name the target in the text of the link',
    judge: (model) => (element) => {
      const name = isLink(element) ? model.names.nameOf(element) : '';
      // without a name, another rule reports it
      return name === '' || isPlaceholder(name) ? undefined : judgeLink(element, name, model);
    },
  }),
];

const fileName = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico|tiff?|heic)$/i;
/** File names from cameras, phones and tools: `IMG_2041`, `94251e110d24a4c2`, a UUID. */
const numbered = [
  /^(?:img|image|dsc[nf]?|pxl|p|screenshot|unnamed|untitled)[-_ ]?\d{3}[-_\d]*$/i,
  /^(?=.{0,40}\d)[\da-f]{16,}$/i,
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
];

function judgeName(text: string, element: Element): Answer {
  const name = text.toLowerCase();
  const link = closest(element, ({ tagName }) => tagName === 'a');
  // in a list of files, or in a link to the file
  const standsForFile =
    link !== undefined &&
    (attribute(link, 'download') !== undefined || baseName(attribute(link, 'href') ?? '') === name);
  if (standsForFile) return [];
  const sources = sourceNames(element);
  const repeats = sources.some((source) => source.replace(fileName, '') === name);
  const isFileName =
    (fileName.test(name) && (!/\s/.test(name) || sources.includes(name))) ||
    (numbered.some((form) => form.test(name)) && (repeats || sources.includes(name)));
  if (isFileName) return [`the text of the image is a file name: ${text.slice(0, 100)}`];
  return repeats
    ? { unchecked: 'its text repeats its file name, which may still describe it' }
    : [];
}

function sourceNames(element: Element): string[] {
  const parent = parentOf(element);
  const siblings =
    parent?.tagName === 'picture'
      ? childrenOf(parent).filter(({ tagName }) => tagName === 'source')
      : [];
  const choices = [element, ...siblings].flatMap((each) =>
    (attribute(each, 'srcset') ?? '')
      .split(',', 50)
      .map((choice) => choice.trim().split(/\s/, 1)[0] ?? ''),
  );
  return [attribute(element, 'src') ?? '', ...choices].map(baseName).filter((name) => name !== '');
}

function baseName(address: string): string {
  const path = address.slice(0, 2000).replace(/[?#].*$/s, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last).toLowerCase();
  } catch {
    return last.toLowerCase();
  }
}

const widget =
  /^(?:button|checkbox|link|menuitem|menuitemcheckbox|menuitemradio|option|radio|switch|tab|treeitem)$/;
const paintedElsewhere =
  /(?:^|[\s_-])(?:sr-only|visually-?hidden|screen-?reader|offscreen|assistive|material-(?:icons|symbols))/i;
const iconFont = /font(?:-family)?\s*:[^;{}]{0,200}(?:icon|symbol|awesome|glyph)/i;

function judgeText(seen: string, name: string, model: PageModel): Answer {
  const visible = wordsOf(seen.replaceAll(/\([^)]{0,200}\)/g, ' '));
  if (!/\p{L}\P{L}*\p{L}|\p{N}\P{N}*\p{N}\P{N}*\p{N}/u.test(visible)) return undefined;
  if (isPlaceholder(name) || ` ${wordsOf(name)} `.includes(` ${visible} `)) return [];
  return hasIconFont(model)
    ? { unchecked: 'a font of the page may draw its text as an icon' }
    : [
        `the name "${name.slice(0, 60)}" does not contain the visible text "${seen.trim().slice(0, 60)}"`,
      ];
}

/** The letters of such a font are drawings. */
function hasIconFont({ page }: PageModel): boolean {
  return page.elements.some((element) =>
    element.tagName === 'style'
      ? element.childNodes.some((node) => 'value' in node && iconFont.test(node.value))
      : iconFont.test(attribute(element, 'style') ?? ''),
  );
}

function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** `undefined` if styles or templates decide the text. */
function seenText(element: Element, { exposure }: PageModel): string | undefined {
  const parts: string[] = [];
  const waiting = [...element.childNodes].reverse();
  for (
    let node = waiting.pop(), steps = 0;
    node !== undefined && steps < 2000;
    node = waiting.pop(), steps += 1
  ) {
    if (node.nodeName === '#text' && 'value' in node) parts.push(node.value);
    if (
      !('tagName' in node) ||
      /^(?:svg|style|script|template)$/.test(node.tagName) ||
      !exposure.isShown(node)
    )
      continue;
    if (paintedElsewhere.test(attribute(node, 'class') ?? '')) return undefined;
    waiting.push(...[...node.childNodes].reverse());
  }
  const text = parts.join('');
  return isPlaceholder(text) ? undefined : text;
}

const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.split('|').map((name) => name.trim()));

/** Names that say nothing about a target, wherever the link stands. */
const empty = namesIn(
  `click here|click|here|click this|click this link|this link|link|tap here|press here|go here|see here|this|
  hier klicken|klicken sie hier|klick hier|klicke hier|hier|diesen link|
  cliquez ici|cliquer ici|ici|haga clic aquí|haz clic aquí|pulse aquí|aquí|clique aqui|aqui|
  clicca qui|qui|klik hier`,
);

/** Names that say something only with the text around the link. */
const vague = namesIn(
  `more|read more|learn more|see more|view more|show more|more info|more information|more details|
  details|find out more|discover more|continue|continue reading|go|read on|read this|full story|read article|
  mehr|mehr lesen|weiterlesen|mehr erfahren|mehr dazu|mehr infos|lire la suite|en savoir plus|plus|voir plus|
  leer más|ver más|más información|más|saiba mais|leia mais|scopri di più|leggi tutto|leggi di più|
  lees meer|lees verder|meer informatie`,
);

function judgeLink(element: Element, name: string, model: PageModel): Answer {
  const words = wordsOf(name);
  // a name from a program, or the title of a part of this page, means itself
  if (/[<({[=_]/.test(name) || wordsOf(titleOf(element, model)) === words) return [];
  const shown = `a link named "${name.slice(0, 60)}" does not say`;
  if (empty.has(words)) return [`${shown} where it leads`];
  return vague.has(words) && !hasContext(element, words, model)
    ? [`${shown} what is there, and nor does the text around it`]
    : [];
}

function titleOf(element: Element, { page, names }: PageModel): string {
  const id = /^#(.+)/.exec(attribute(element, 'href')?.trim() ?? '')?.[1];
  const [target] = (id === undefined ? undefined : page.byId.get(id)) ?? [];
  return target === undefined ? '' : names.contentOf(target);
}

function hasContext(element: Element, words: string, { page, names }: PageModel): boolean {
  const title = attribute(element, 'title') ?? '';
  if (
    wordsIn(element, 'aria-describedby').some((id) => page.byId.has(id)) ||
    (isFilled(element, 'title') && wordsOf(title) !== words)
  )
    return true;
  for (const above of ancestorsOf(element))
    if (/^(?:p|li|tr|dd|figcaption|caption|blockquote|h[1-6])$/.test(above.tagName)) {
      const around = wordsOf(names.contentOf(above));
      if (around.replaceAll(words, ' ').trim() !== '') return true;
    }
  return false;
}
