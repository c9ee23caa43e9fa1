import { attribute, type Element, parentOf } from '../dom.js';
import { baseRole, fieldRoles } from '../model/aria-roles.js';
import { isControllingSummary, tabIndexOf } from '../model/focus.js';
import type { PageModel } from '../model/page-model.js';
import { explicitRole, semanticRole } from '../model/roles.js';

/** One kind of element that needs a name. */
export interface NamedKind {
  readonly noun: string;
  readonly advice: string;
  /** Returns whether an exposed element is of this kind. */
  readonly is: (element: Element, model: PageModel) => boolean;
  /** Returns the reason if the markup does not show the name of an element. */
  readonly unknown?: (element: Element) => string | undefined;
}

const html = 'http://www.w3.org/1999/xhtml';
const isInput = (element: Element, type: RegExp): boolean =>
  element.tagName === 'input' && type.test(attribute(element, 'type')?.trim() ?? '');
const isNative = (element: Element, names: RegExp): boolean =>
  element.namespaceURI === html && names.test(element.tagName);
const oddInputs = /^(?:color|date|datetime-local|file|month|password|time|week)$/i;

/** Buttons, except image buttons. */
export const buttons: NamedKind = {
  noun: 'button',
  advice: 'Give it text, or an aria-label that says what it does',
  is: (element) => semanticRole(element) === 'button' && !isInput(element, /^image$/i),
};
export const imageButtons: NamedKind = {
  noun: 'image button',
  advice: 'Add alt text that says what it does',
  is: (element) => isInput(element, /^image$/i) && /^(?:button|)$/.test(semanticRole(element)),
};
export const links: NamedKind = {
  noun: 'link',
  advice: 'Give it text, or an aria-label that says where it leads',
  is: (element) => baseRole(semanticRole(element)) === 'link',
};
/** Fields of forms. */
export const fields: NamedKind = {
  noun: 'field',
  advice: 'Add a <label for="..."> that names it',
  is: (element) =>
    fieldRoles.has(semanticRole(element)) ||
    (isInput(element, oddInputs) && explicitRole(element) === undefined),
};
/** Images that are not part of another image. */
export const images: NamedKind = {
  noun: 'image',
  advice: 'Add alt text that says what it shows, or alt="" if it is decorative',
  is: (element, model) => isImage(element) && !isInsideImage(element, model),
};
export const menuItems: NamedKind = {
  noun: 'menu item',
  advice: 'Give it text, or an aria-label that says what it does',
  is: (element) => semanticRole(element) === 'menuitem',
};
/** Summaries that open details. */
export const summaries: NamedKind = {
  noun: 'summary',
  advice: 'Give it text that says what it opens',
  is: (element) => isControllingSummary(element) && semanticRole(element) === '',
};
/** Frames that can get the focus. */
export const frames: NamedKind = {
  noun: 'frame',
  advice: 'Add a title that says what it contains',
  is: (element) =>
    element.tagName === 'iframe' &&
    (tabIndexOf(element) ?? 0) >= 0 &&
    explicitRole(element) === undefined,
};
export const headings: NamedKind = {
  noun: 'heading',
  advice: 'Give it text, or remove the element',
  is: (element) => semanticRole(element) === 'heading',
};
/** SVG elements with the role of an image. */
export const drawings: NamedKind = {
  noun: 'drawing',
  advice: 'Add a <title> inside it, or an aria-label',
  is: (element) =>
    element.namespaceURI !== html &&
    /^(?:img|graphics-document|graphics-symbol)$/.test(explicitRole(element) ?? ''),
};
export const objects: NamedKind = {
  noun: 'embedded object',
  advice: 'Add an aria-label or title that says what it shows',
  is: (element) =>
    element.tagName === 'object' &&
    (attribute(element, 'data') ?? '') !== '' &&
    explicitRole(element) === undefined &&
    mediaOf(element) !== 'page',
  unknown: (element) =>
    mediaOf(element) === undefined || hasFallback(element)
      ? 'what this object shows is unknown'
      : undefined,
};

function isImage(element: Element): boolean {
  if (element.namespaceURI !== html || isNative(element, /^(?:input|object|area)$/)) return false;
  return baseRole(semanticRole(element)) === 'img';
}

/** Returns whether an element is part of an image that has a name. */
function isInsideImage(element: Element, { names }: PageModel): boolean {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) {
    if (explicitRole(above) === 'img' || explicitRole(above) === 'image')
      return names.nameOf(above) !== '';
  }
  return false;
}

function mediaOf(element: Element): 'media' | 'page' | undefined {
  const type = attribute(element, 'type')?.trim() ?? '';
  const data = (attribute(element, 'data') ?? '').replace(/[?#].*$/s, '');
  if (
    /^(?:image|audio|video)\//i.test(type) ||
    /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|mp3|ogg|wav|m4a|mp4|webm|mov)$/i.test(data)
  )
    return 'media';
  return /html|text\/plain/i.test(type) || /\.(?:x?html?|txt)$/i.test(data) ? 'page' : undefined;
}

function hasFallback(element: Element): boolean {
  return element.childNodes.some((node) => 'tagName' in node && node.tagName !== 'param');
}
