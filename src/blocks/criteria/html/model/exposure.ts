import { ancestorsOf, attribute, type Element, keyword, type Page, parentOf } from '../dom.js';

const never =
  /^(?:script|style|template|noscript|head|datalist|title|meta|link|base|param|source|track)$/;
const neverInSvg =
  /^(?:defs|symbol|clipPath|mask|metadata|linearGradient|radialGradient|pattern|style|script)$/;

const undisplayed = 1;
const invisible = 2;
const ariaHidden = 4;
const inert = 8;

export class Exposure {
  readonly #states = new Map<Element, number>();

  constructor({ elements, styles }: Pick<Page, 'elements' | 'styles'>) {
    for (const element of elements) {
      const parent = parentOf(element);
      const state = ownState(element, (parent && this.#states.get(parent)) ?? 0, styles);
      if (state !== 0) this.#states.set(element, state);
    }
  }

  /** Returns whether neither the element nor an ancestor has `display: none` or is invisible. */
  isShown(element: Element): boolean {
    return ((this.#states.get(element) ?? 0) & (undisplayed | invisible)) === 0;
  }

  /** Returns whether the element is shown, and neither under `aria-hidden="true"` nor inert. */
  isExposed(element: Element): boolean {
    return (this.#states.get(element) ?? 0) === 0;
  }

  isInert(element: Element): boolean {
    return ((this.#states.get(element) ?? 0) & inert) !== 0;
  }
}

function ownState(element: Element, above: number, styles: Page['styles']): number {
  let state = above;
  if (isUndisplayed(element, styles)) state |= undisplayed;
  const visibility = inlineValue(element, 'visibility') ?? styles.get(element)?.visibility;
  if (visibility !== undefined && /^(?:hidden|collapse)/.test(visibility)) state |= invisible;
  else if (visibility?.startsWith('visible') === true) state &= ~invisible;
  if (keyword(element, 'aria-hidden') === 'true') state |= ariaHidden;
  if (attribute(element, 'inert') !== undefined) state |= inert;
  return state;
}

function isUndisplayed(element: Element, styles: Page['styles']): boolean {
  const isSvg = element.namespaceURI === 'http://www.w3.org/2000/svg';
  if ((isSvg ? neverInSvg : never).test(element.tagName)) return true;
  if (element.tagName === 'input' && keyword(element, 'type') === 'hidden') return true;
  const display = inlineValue(element, 'display') ?? styles.get(element)?.display;
  if (display !== undefined) return display.startsWith('none');
  return attribute(element, 'hidden') !== undefined;
}

const declared = {
  display: /(?:^|;)\s*display\s*:\s*([a-z-]+)/gi,
  visibility: /(?:^|;)\s*visibility\s*:\s*([a-z-]+)/gi,
};

function inlineValue(element: Element, property: keyof typeof declared): string | undefined {
  const style = attribute(element, 'style');
  if (style === undefined || style.length > 20_000) return undefined;
  return Array.from(style.matchAll(declared[property]), (match) => match[1]?.toLowerCase()).at(-1);
}

const formControls = /^(?:button|input|select|textarea)$/;

export function isFocusable(element: Element): boolean {
  if (isDisabled(element)) return false;
  return tabIndexOf(element) !== undefined || isFocusableByItself(element);
}

export function isTabbable(element: Element, exposure: Exposure): boolean {
  if (!isFocusable(element) || !exposure.isShown(element) || exposure.isInert(element))
    return false;
  return (tabIndexOf(element) ?? 0) >= 0;
}

export function tabIndexOf(element: Element): number | undefined {
  const value = attribute(element, 'tabindex')?.trim();
  return value !== undefined && /^[+-]?\d+/.test(value) ? Number.parseInt(value, 10) : undefined;
}

export function isDisabled(element: Element): boolean {
  if (!formControls.test(element.tagName)) return false;
  if (attribute(element, 'disabled') !== undefined) return true;
  let below = element;
  for (const above of ancestorsOf(element)) {
    const isDisabledSet =
      above.tagName === 'fieldset' && attribute(above, 'disabled') !== undefined;
    if (isDisabledSet && !isFirst(below, 'legend')) return true;
    below = above;
  }
  return false;
}

function isFirst(element: Element, tagName: string): boolean {
  const parent = element.tagName === tagName ? parentOf(element) : undefined;
  return parent?.childNodes.find(({ nodeName }) => nodeName === tagName) === element;
}

function isFocusableByItself(element: Element): boolean {
  switch (element.tagName) {
    case 'a':
    case 'area':
      return ['href', 'xlink:href'].some((name) => attribute(element, name) !== undefined);
    case 'button':
    case 'select':
    case 'textarea':
    case 'iframe':
      return true;
    case 'input':
      return keyword(element, 'type') !== 'hidden';
    case 'summary':
      return isControllingSummary(element);
    case 'audio':
    case 'video':
      return attribute(element, 'controls') !== undefined;
    default:
      return (
        attribute(element, 'contenteditable') !== undefined &&
        keyword(element, 'contenteditable') !== 'false'
      );
  }
}

export function isControllingSummary(element: Element): boolean {
  return parentOf(element)?.tagName === 'details' && isFirst(element, 'summary');
}
