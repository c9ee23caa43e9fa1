import { attribute, type Element, parentOf } from '../dom.js';
import { explicitRole } from '../model/roles.js';
import { namesOf } from './claimed-pages.js';

/** Returns whether an element is meant by a name. */
export type ElementTest = (element: Element) => boolean;

/** Returns the test for tags, separated by "|". */
export function tags(names: string): ElementTest {
  const wanted = new Set(names.split('|'));
  return ({ tagName }) => wanted.has(tagName);
}

/** Returns the test for elements that pass one of several tests. */
export function oneOf(...tests: readonly ElementTest[]): ElementTest {
  return (element) => tests.some((test) => test(element));
}

/** Returns the test for `role` attributes. */
export function roles(pattern: RegExp): ElementTest {
  return (element) => pattern.test(explicitRole(element) ?? '');
}

/** Returns the test for the id and the classes of an element. */
export function named(pattern: RegExp): ElementTest {
  return (element) => pattern.test(namesOf(element).slice(0, 5000));
}

/** Returns the test for `input` elements of some types. */
export function inputs(types: RegExp): ElementTest {
  return (element) => element.tagName === 'input' && types.test(typeOf(element));
}

/** Returns the type of a button or an input, in lower case. */
export function typeOf(element: Element): string {
  return attribute(element, 'type')?.trim().toLowerCase() ?? '';
}

/** Returns whether an element has an attribute that is not empty. */
export function has(element: Element, name: string): boolean {
  return (attribute(element, name) ?? '').trim() !== '';
}

/** Returns whether an element is inside of an element with one of some tags. */
export function isInside(element: Element, names: RegExp): boolean {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above))
    if (names.test(above.tagName)) return true;
  return false;
}

/** Returns whether an element contains an element with one of some tags, in its upper levels. */
export function containsTag(element: Element, names: RegExp): boolean {
  let level: Element[] = [element];
  for (let depth = 0; depth < 6 && level.length > 0; depth += 1) {
    level = level
      .slice(0, 500)
      .flatMap(({ childNodes }) => childNodes.filter((node): node is Element => 'tagName' in node));
    if (level.some(({ tagName }) => names.test(tagName))) return true;
  }
  return false;
}

/** Returns whether an element or the upper levels below it have text. */
export function hasText(element: Element): boolean {
  return shortTextOf(element) !== '';
}

/** Returns the first text below an element, or '' without text in its upper levels. */
export function shortTextOf(element: Element): string {
  const waiting: Element[] = [element];
  for (let seen = 0; seen < 200; seen += 1) {
    const next = waiting.pop();
    if (next === undefined) return '';
    for (const node of next.childNodes) {
      if (node.nodeName === '#text' && 'value' in node && node.value.trim() !== '')
        return node.value.trim();
      if ('tagName' in node) waiting.push(node);
    }
  }
  return '';
}
