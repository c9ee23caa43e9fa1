import { attribute, type Element, type Page, parentOf } from '../dom.js';

const never = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'datalist',
  'title',
  'meta',
  'link',
  'base',
  'param',
  'source',
  'track',
]);

const undisplayed = 1;
const invisible = 2;
const ariaHidden = 4;
const inert = 8;

/**
 * Decides from markup and styles which elements are visible, and which ones assistive technology
 * perceives.
 */
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
  if (attribute(element, 'aria-hidden')?.trim().toLowerCase() === 'true') state |= ariaHidden;
  if (attribute(element, 'inert') !== undefined) state |= inert;
  return state;
}

function isUndisplayed(element: Element, styles: Page['styles']): boolean {
  const isSvg = element.namespaceURI === 'http://www.w3.org/2000/svg';
  if (!isSvg && never.has(element.tagName)) return true;
  if (
    isSvg &&
    /^(?:defs|symbol|clipPath|mask|metadata|linearGradient|radialGradient|pattern|style|script)$/.test(
      element.tagName,
    )
  )
    return true;
  if (element.tagName === 'input' && attribute(element, 'type')?.trim().toLowerCase() === 'hidden')
    return true;
  const display = inlineValue(element, 'display') ?? styles.get(element)?.display;
  if (display !== undefined) return display.startsWith('none');
  return attribute(element, 'hidden') !== undefined;
}

/** Returns the value of a property in a `style` attribute. */
function inlineValue(element: Element, property: 'display' | 'visibility'): string | undefined {
  const style = attribute(element, 'style');
  if (style === undefined || style.length > 20_000) return undefined;
  const pattern =
    property === 'display'
      ? /(?:^|;)\s*display\s*:\s*([a-z-]+)/gi
      : /(?:^|;)\s*visibility\s*:\s*([a-z-]+)/gi;
  return Array.from(style.matchAll(pattern), (match) => match[1]?.toLowerCase()).at(-1);
}
