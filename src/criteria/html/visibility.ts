import { attribute, type Element } from './page.js';

const never = new Set(['script', 'style', 'template', 'noscript', 'head', 'datalist']);

/** The element above, if there is one. */
export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent ? parent : undefined;
}

/** Whether an element itself is taken out of what people and assistive technology perceive, as far as the markup says. */
export function hidesItself(element: Element): boolean {
  if (never.has(element.tagName)) return true;
  if (element.tagName === 'input' && attribute(element, 'type')?.trim().toLowerCase() === 'hidden') return true;
  if (attribute(element, 'hidden') !== undefined || attribute(element, 'aria-hidden')?.trim() === 'true') return true;
  return /(?:^|;)\s{0,20}(?:display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}(?:hidden|collapse))/i.test(attribute(element, 'style') ?? '');
}

/** Tells which elements of a page are hidden, by themselves or with an ancestor. */
export function hiddenIn(elements: readonly Element[]): ReadonlySet<Element> {
  const hidden = new Set<Element>();
  for (const element of elements) {
    const parent = parentOf(element);
    if ((parent !== undefined && hidden.has(parent)) || hidesItself(element)) hidden.add(element);
  }
  return hidden;
}
