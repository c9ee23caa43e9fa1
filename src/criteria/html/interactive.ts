import { attribute, type Element } from './page.js';
import { parentOf } from './visibility.js';

/** What kind of thing needs a name. */
export type NamedKind = 'button' | 'link' | 'field' | 'image' | 'frame';

const roles: Readonly<Record<string, NamedKind>> = {
  button: 'button',
  menuitem: 'button',
  menuitemcheckbox: 'button',
  menuitemradio: 'button',
  tab: 'button',
  link: 'link',
  textbox: 'field',
  searchbox: 'field',
  combobox: 'field',
  listbox: 'field',
  checkbox: 'field',
  radio: 'field',
  switch: 'field',
  slider: 'field',
  spinbutton: 'field',
  img: 'image',
};

/** What kind of named thing an element is; undefined for one that needs no name. */
export function namedKind(element: Element): NamedKind | undefined {
  const role = attribute(element, 'role')?.trim().toLowerCase().split(/\s+/)[0] ?? '';
  const known = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (known !== undefined) return known;
  const native = nativeKind(element);
  const ignored = role === 'presentation' || role === 'none';
  return ignored && !isFocusable(element, native) ? undefined : native;
}

const natives: Readonly<Record<string, (element: Element) => NamedKind | undefined>> = {
  button: () => 'button',
  summary: (element) => (isFirstSummary(element) ? 'button' : undefined),
  a: (element) => (attribute(element, 'href') === undefined ? undefined : 'link'),
  area: (element) => (attribute(element, 'href') === undefined ? undefined : 'link'),
  input: (element) => (/^(?:submit|button|reset|image)$/i.test(attribute(element, 'type')?.trim() ?? '') ? 'button' : 'field'),
  select: () => 'field',
  textarea: () => 'field',
  img: (element) => (attribute(element, 'alt') === '' && !isReferred(element) ? undefined : 'image'),
  iframe: (element) => (Number(attribute(element, 'tabindex') ?? 0) < 0 ? undefined : 'frame'),
};

function nativeKind(element: Element): NamedKind | undefined {
  return Object.hasOwn(natives, element.tagName) ? natives[element.tagName]?.(element) : undefined;
}

function isReferred(element: Element): boolean {
  return attribute(element, 'aria-label') !== undefined || attribute(element, 'aria-labelledby') !== undefined;
}

/** A focusable element keeps its meaning whatever `role="none"` says. */
function isFocusable(element: Element, native: NamedKind | undefined): boolean {
  if (attribute(element, 'tabindex') !== undefined) return true;
  return native !== undefined && native !== 'image' && native !== 'frame' && attribute(element, 'disabled') === undefined;
}

function isFirstSummary(element: Element): boolean {
  const details = parentOf(element);
  return details?.tagName === 'details' && details.childNodes.find((node) => 'tagName' in node && node.tagName === 'summary') === element;
}
