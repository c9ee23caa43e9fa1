import type { Place } from '../page-place.js';

/** What the functions share that run inside a page. */
export interface PageTools {
  readonly place: (element: Element) => Place;
  /** Remembers an element and returns its number. */
  readonly keep: (element: Element) => number;
  readonly kept: Element[];
  /** Returns whether an element has an area and is not hidden. */
  readonly isShown: (element: Element) => boolean;
  /** Returns the element with the focus, also inside of shadow trees. */
  readonly focused: () => Element | null;
}

/** Creates the tools. It runs inside a page, so it refers to nothing outside. */
export function pageTools(): PageTools {
  const kept: Element[] = [];
  const nameOf = (element: Element): string => {
    const tag = element.localName;
    if (/^[a-z][\w-]*$/i.test(element.id)) return `${tag}#${element.id}`;
    const [first] = element.classList;
    const named = first !== undefined && /^[a-z][\w-]*$/i.test(first) ? `${tag}.${first}` : tag;
    const alike = [...(element.parentElement?.children ?? [])].filter(
      ({ localName }) => localName === tag,
    );
    return alike.length > 1 ? `${named}:nth-of-type(${alike.indexOf(element) + 1})` : named;
  };
  const selectorOf = (element: Element): string => {
    const parts: string[] = [];
    for (let at: Element | null = element; at !== null && parts.length < 4; at = at.parentElement) {
      if (parts.length > 0 && (at.localName === 'body' || at.localName === 'html')) break;
      parts.unshift(nameOf(at));
      if (parts[0]?.includes('#') === true) break;
    }
    return parts.join(' > ');
  };
  const pathOf = (element: Element): number[] | null => {
    const path: number[] = [];
    let at = element;
    while (at.parentElement !== null) {
      path.unshift([...at.parentElement.children].indexOf(at));
      at = at.parentElement;
    }
    return at === document.documentElement ? path : null;
  };
  return {
    kept,
    keep: (element) => {
      const known = kept.indexOf(element);
      return known === -1 ? kept.push(element) - 1 : known;
    },
    place: (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return {
        selector: selectorOf(element).slice(0, 200),
        path: pathOf(element),
        tag: element.localName,
        html: element.outerHTML.slice(0, 200),
        box: { x: left + scrollX, y: top + scrollY, width, height },
      };
    },
    isShown: (element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
    },
    focused: () => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at;
    },
  };
}
