import { attribute, closest, type Element, isFilled, keyword } from '../dom.js';
import { ariaAttributes, knownRoles, namedByContent } from './aria.js';
import { isControllingSummary, isFocusable } from './exposure.js';

/** The first known token. */
export function explicitRole(element: Element): string | undefined {
  const given = attribute(element, 'role');
  if (given === undefined || isPlaceholder(given)) return undefined;
  return given
    .toLowerCase()
    .split(/\s+/, 50)
    .find((token) => knownRoles.has(token));
}

/**
 * '' if no ARIA role fits the element. An element that is focusable or has a global ARIA attribute
 * keeps its own role despite `role="none"`.
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

export function hasGlobalAria(element: Element): boolean {
  return element.attrs.some(
    ({ name }) => name !== 'aria-hidden' && ariaAttributes.get(name)?.global === true,
  );
}

const elementsOf: Readonly<Record<string, string>> = {
  complementary: 'aside',
  deletion: 'del s',
  emphasis: 'em',
  generic: 'b bdi bdo body data div i pre q samp small span u',
  group: 'address details fieldset hgroup optgroup',
  heading: 'h1 h2 h3 h4 h5 h6',
  insertion: 'ins',
  list: 'menu ol ul',
  listbox: 'datalist',
  listitem: 'li',
  navigation: 'nav',
  paragraph: 'p',
  progressbar: 'progress',
  row: 'tr',
  rowgroup: 'tbody tfoot thead',
  separator: 'hr',
  status: 'output',
  subscript: 'sub',
  superscript: 'sup',
  term: 'dfn',
  textbox: 'textarea',
};

const sameName =
  'article blockquote button caption code dialog figure form main math meter option search strong table time';

const plain = new Map([
  ...sameName.split(' ').map((name) => [name, name] as const),
  ...Object.entries(elementsOf).flatMap(([role, names]) =>
    names.split(' ').map((name) => [name, role] as const),
  ),
]);

const inputs = new Map([
  ...['button', 'image', 'reset', 'submit'].map((type) => [type, 'button'] as const),
  ['checkbox', 'checkbox'],
  ['number', 'spinbutton'],
  ['radio', 'radio'],
  ['range', 'slider'],
]);

export const roleless = /^(?:color|date|datetime-local|file|month|password|time|week)$/;

/** @param keeps - Marks an image that is perceived despite `alt=""`. */
export function implicitRole(element: Element, keeps = false): string {
  const { tagName } = element;
  if (element.namespaceURI === 'http://www.w3.org/2000/svg') {
    if (tagName === 'svg') return 'graphics-document';
    return tagName === 'a' && isFocusable(element) ? 'link' : '';
  }
  if (tagName === 'img')
    return attribute(element, 'alt') === '' && !keeps && !keepsRole(element)
      ? 'presentation'
      : 'img';
  return plain.get(tagName) ?? dependent.get(tagName)?.(element) ?? '';
}

const linkOrText = (element: Element): string =>
  attribute(element, 'href') === undefined ? 'generic' : 'link';

const naming = ['aria-label', 'aria-labelledby', 'title'];

const dependent = new Map<string, (element: Element) => string>([
  ['a', linkOrText],
  ['area', linkOrText],
  ['footer', (element) => (isPartOfSection(element) ? 'generic' : 'contentinfo')],
  ['header', (element) => (isPartOfSection(element) ? 'generic' : 'banner')],
  ['input', inputRole],
  ['section', (element) => (naming.some((name) => isFilled(element, name)) ? 'region' : 'generic')],
  [
    'select',
    (element) =>
      attribute(element, 'multiple') !== undefined || Number(attribute(element, 'size') ?? 1) > 1
        ? 'listbox'
        : 'combobox',
  ],
  ['summary', (element) => (isControllingSummary(element) ? '' : 'generic')],
  ['td', (element) => (isInGrid(element) ? 'gridcell' : 'cell')],
  ['th', (element) => (keyword(element, 'scope').startsWith('row') ? 'rowheader' : 'columnheader')],
]);

function inputRole(element: Element): string {
  const type = keyword(element, 'type');
  const known = inputs.get(type);
  if (known !== undefined) return known;
  if (type === 'hidden' || roleless.test(type)) return '';
  if (attribute(element, 'list') !== undefined) return 'combobox';
  return type === 'search' ? 'searchbox' : 'textbox';
}

function isPartOfSection(element: Element): boolean {
  const isSection = ({ tagName }: Element): boolean =>
    /^(?:article|aside|main|nav|section)$/.test(tagName);
  return closest(element, isSection) !== undefined;
}

function isInGrid(element: Element): boolean {
  const table = closest(element, ({ tagName }) => tagName === 'table');
  return table !== undefined && /^(?:tree)?grid$/.test(explicitRole(table) ?? '');
}

export function takesContent(element: Element): boolean {
  if (/^(?:label|summary|option)$/.test(element.tagName)) return true;
  const explicit = explicitRole(element);
  return namedByContent.has(
    explicit === undefined || explicit === 'none' || explicit === 'presentation'
      ? semanticRole(element)
      : explicit,
  );
}

const placeholder = /\{\{|\{%|<%|\$\{|<\?|#\{|^\s*\{[^}]*\}\s*$|\[\[|^%\w+%$/;

/** A placeholder of a template (`{{ }}`, `<% %>`, `<?`, `${ }`, `{ }`) makes the value unknown. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text.length > 2000 ? text.slice(0, 2000) : text);
}

/** By a template language: `:alt`, `v-bind:alt`, `[alt]`, `{...props}`, or a bare `{{ }}`. */
export function isBound(element: Element, name: string): boolean {
  return element.attrs.some(({ name: given }) => {
    if (given === name) return false;
    if (/^(?:\{|<%|<\?|%\})/.test(given) || given === 'v-bind') return true;
    const bound = /^(?:(?:v-bind|x-bind|bind)?:(.+)|\[(?:attr\.)?(.+)\])$/.exec(given);
    return (bound?.[1] ?? bound?.[2]) === name;
  });
}

/** Only a template or script knows the value. */
export function isUnknown(element: Element, name: string): boolean {
  const value = attribute(element, name);
  return value === undefined ? isBound(element, name) : isPlaceholder(value);
}

const namingAttributes = [
  ...['aria-label', 'aria-labelledby', 'alt', 'title', 'value', 'placeholder'],
  ...['v-text', 'v-html', 'x-text', 'innerhtml', 'textcontent', 'inner-html'],
  'dangerouslysetinnerhtml',
];

export function mayBeNamed(element: Element): boolean {
  return (
    namingAttributes.some((name) => isBound(element, name)) ||
    element.attrs.some(({ name }) =>
      /^(?::|v-|x-|\[)?(?:text|html|inner-?html|text-?content)\]?$/.test(name),
    )
  );
}
