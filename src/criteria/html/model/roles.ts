import { attribute, type Element, parentOf } from '../dom.js';
import { ariaAttributes } from './aria-attributes.js';
import { knownRoles, namedByContent } from './aria-roles.js';
import { isControllingSummary, isFocusable } from './focus.js';
import { isPlaceholder } from './placeholders.js';

const svg = 'http://www.w3.org/2000/svg';

/** Returns the role of a `role` attribute: its first known token. */
export function explicitRole(element: Element): string | undefined {
  const given = attribute(element, 'role');
  if (given === undefined || isPlaceholder(given)) return undefined;
  return given
    .toLowerCase()
    .split(/\s+/, 50)
    .find((token) => knownRoles.has(token));
}

/**
 * Returns the role that assistive technology sees, or '' if no ARIA role fits the element. An
 * element that is focusable or has a global ARIA attribute keeps its own role despite
 * `role="none"`.
 */
export function semanticRole(element: Element): string {
  const explicit = explicitRole(element);
  if (explicit === undefined) return implicitRole(element);
  if (explicit !== 'none' && explicit !== 'presentation')
    return explicit === 'image' ? 'img' : explicit;
  return keepsRole(element) ? implicitRole(element, true) : 'none';
}

/** Returns whether assistive technology perceives an element despite `role="none"`. */
export function keepsRole(element: Element): boolean {
  return isFocusable(element) || hasGlobalAria(element);
}

/** Returns whether an element has a global ARIA attribute, which puts it into the tree of roles. */
export function hasGlobalAria(element: Element): boolean {
  return element.attrs.some(
    ({ name }) => name !== 'aria-hidden' && ariaAttributes.get(name)?.global === true,
  );
}

const plain: Readonly<Record<string, string>> = {
  address: 'group',
  article: 'article',
  aside: 'complementary',
  b: 'generic',
  bdi: 'generic',
  bdo: 'generic',
  blockquote: 'blockquote',
  body: 'generic',
  button: 'button',
  caption: 'caption',
  code: 'code',
  data: 'generic',
  datalist: 'listbox',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  div: 'generic',
  em: 'emphasis',
  fieldset: 'group',
  figure: 'figure',
  form: 'form',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hgroup: 'group',
  hr: 'separator',
  i: 'generic',
  ins: 'insertion',
  li: 'listitem',
  main: 'main',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  pre: 'generic',
  progress: 'progressbar',
  q: 'generic',
  s: 'deletion',
  samp: 'generic',
  search: 'search',
  small: 'generic',
  span: 'generic',
  strong: 'strong',
  sub: 'subscript',
  sup: 'superscript',
  svg: 'graphics-document',
  table: 'table',
  tbody: 'rowgroup',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  thead: 'rowgroup',
  time: 'time',
  tr: 'row',
  u: 'generic',
  ul: 'list',
};

const inputs: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  submit: 'button',
};

/**
 * Returns the role of an element without a `role` attribute. `keeps` marks an image that is
 * perceived despite `alt=""`.
 */
export function implicitRole(element: Element, keeps = false): string {
  if (element.namespaceURI === svg) return svgRole(element);
  if (element.tagName === 'img')
    return attribute(element, 'alt') === '' && !keeps && !keepsRole(element)
      ? 'presentation'
      : 'img';
  if (Object.hasOwn(plain, element.tagName)) return plain[element.tagName] ?? '';
  return Object.hasOwn(dependent, element.tagName)
    ? (dependent[element.tagName]?.(element) ?? '')
    : '';
}

function svgRole(element: Element): string {
  if (element.tagName === 'svg') return 'graphics-document';
  return element.tagName === 'a' && isFocusable(element) ? 'link' : '';
}

const linkOrText = (element: Element): string =>
  attribute(element, 'href') === undefined ? 'generic' : 'link';

/** Roles that depend on attributes or ancestors. */
const dependent: Readonly<Record<string, (element: Element) => string>> = {
  a: linkOrText,
  area: linkOrText,
  footer: (element) => (isPartOfSection(element) ? 'generic' : 'contentinfo'),
  header: (element) => (isPartOfSection(element) ? 'generic' : 'banner'),
  input: inputRole,
  section: (element) => (isNamedByAttribute(element) ? 'region' : 'generic'),
  select: (element) =>
    attribute(element, 'multiple') !== undefined || Number(attribute(element, 'size') ?? 1) > 1
      ? 'listbox'
      : 'combobox',
  summary: (element) => (isControllingSummary(element) ? '' : 'generic'),
  td: (element) => (tableRole(element) === 'table' ? 'cell' : 'gridcell'),
  th: (element) => (/^row/i.test(attribute(element, 'scope') ?? '') ? 'rowheader' : 'columnheader'),
};

function inputRole(element: Element): string {
  const type = attribute(element, 'type')?.trim().toLowerCase() ?? 'text';
  if (Object.hasOwn(inputs, type)) return inputs[type] ?? '';
  if (/^(?:hidden|color|date|datetime-local|file|month|password|time|week)$/.test(type)) return '';
  if (attribute(element, 'list') !== undefined) return 'combobox';
  return type === 'search' ? 'searchbox' : 'textbox';
}

function isNamedByAttribute(element: Element): boolean {
  return ['aria-label', 'aria-labelledby', 'title'].some(
    (name) => (attribute(element, name) ?? '').trim() !== '',
  );
}

function isPartOfSection(element: Element): boolean {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above))
    if (/^(?:article|aside|main|nav|section)$/.test(above.tagName)) return true;
  return false;
}

function tableRole(element: Element): string {
  let above = parentOf(element);
  while (above !== undefined && above.tagName !== 'table') above = parentOf(above);
  const role = above && explicitRole(above);
  return role === 'grid' || role === 'treegrid' ? role : 'table';
}

/** Returns whether the content of an element is its name. */
export function takesContent(element: Element): boolean {
  if (element.tagName === 'label' || element.tagName === 'summary' || element.tagName === 'option')
    return true;
  const explicit = explicitRole(element);
  return namedByContent.has(
    explicit === undefined || explicit === 'none' || explicit === 'presentation'
      ? semanticRole(element)
      : explicit,
  );
}
