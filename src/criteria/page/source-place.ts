import { attribute, type Element, type Page } from '../html/dom.js';
import type { Place } from './page-place.js';

/**
 * Returns the element of the source that the browser shows at a place. Returns undefined if scripts
 * moved or made it.
 */
export function sourceElement(page: Page, place: Place): Element | undefined {
  if (place.path === null) return undefined;
  let at = page.elements.find(({ tagName }) => tagName === 'html');
  for (const index of place.path) {
    if (at === undefined) return undefined;
    at = childrenOf(at)[index];
  }
  return at !== undefined && isSame(at, place) ? at : undefined;
}

function childrenOf(element: Element): Element[] {
  return element.childNodes.filter((node): node is Element => 'tagName' in node);
}

function isSame(element: Element, { tag, html }: Place): boolean {
  if (element.tagName !== tag || element.sourceCodeLocation === undefined) return false;
  const id = attribute(element, 'id');
  return id === undefined || id === '' || html.includes(`id="${id}"`);
}
