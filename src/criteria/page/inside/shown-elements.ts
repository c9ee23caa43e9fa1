import type { ListedElement, ListedWindow, Paint } from '../claims/page-facts.js';
import type { PageTools } from './page-tools.js';

/** Selectors of elements that surely are of a kind, and of those that may be. */
export interface KindSelectors {
  readonly sure: Readonly<Record<string, string>>;
  readonly maybe: Readonly<Record<string, string>>;
}

/** Returns the elements of the page. It runs inside the page. */
export function listedElements(
  tools: PageTools,
  { sure, maybe, most }: KindSelectors & { readonly most: number },
): ListedWindow {
  const unseen = 'script, style, template, noscript, source, br, wbr, svg *';
  const all = [...document.querySelectorAll('body *')].filter(
    (element) => !element.matches(unseen),
  );
  const kindsIn = (element: Element, table: Readonly<Record<string, string>>): string[] =>
    Object.keys(table).filter((kind) => element.matches(table[kind] ?? 'nothing'));
  const textOf = (element: Element): string => {
    const isButton =
      element instanceof HTMLInputElement && /submit|button|reset/.test(element.type);
    const text = isButton ? element.value : (element.textContent ?? '');
    const line = text.replaceAll(/\s+/g, ' ').trim();
    const hasOwn = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && (nodeValue ?? '').trim() !== '',
    );
    return line.length > (hasOwn ? 20_000 : 1500) ? '' : line;
  };
  const elements = all.slice(0, most).map((element): ListedElement => {
    const around = element.parentElement;
    return {
      kept: tools.keep(element),
      parent: around === null ? -1 : tools.kept.indexOf(around),
      kinds: kindsIn(element, sure),
      maybe: kindsIn(element, maybe),
      text: textOf(element),
      place: tools.place(element),
    };
  });
  const root = document.scrollingElement ?? document.documentElement;
  const cut = (element: Element): boolean =>
    /hidden|clip/.test(getComputedStyle(element).overflowX);
  return {
    whole: all.length <= most && document.querySelector('iframe, frame, object, embed') === null,
    elements,
    window: document.documentElement.clientWidth,
    wide: root.scrollWidth,
    hides: cut(document.documentElement) || cut(document.body),
  };
}

/** Returns how some elements are painted. It runs inside the page. */
export function paintOf(tools: PageTools, kept: readonly number[]): Paint[] {
  type Colour = [number, number, number, number];
  const colourOf = (text: string): Colour | null => {
    const [, list = ''] = /^rgba?\(([\d.,\s]+)\)$/.exec(text) ?? [];
    const [red, green, blue, alpha = 1] = list.split(',').map(Number);
    return red === undefined || green === undefined || blue === undefined
      ? null
      : [red, green, blue, alpha];
  };
  const blends = ({ opacity, filter, mixBlendMode }: CSSStyleDeclaration): boolean =>
    opacity !== '1' || filter !== 'none' || mixBlendMode !== 'normal';
  /** Returns null for an unknown colour, and undefined for none. */
  const ownBackground = (style: CSSStyleDeclaration): Colour | null | undefined => {
    const colour = colourOf(style.backgroundColor);
    if (style.backgroundImage !== 'none' || blends(style) || colour === null) return null;
    if (colour[3] === 1) return colour;
    return colour[3] > 0 || /absolute|fixed|sticky/.test(style.position) ? null : undefined;
  };
  const backgroundOf = (element: Element): Colour | null => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const colour = ownBackground(getComputedStyle(at));
      if (colour !== undefined) return colour;
    }
    return [255, 255, 255, 1];
  };
  const hasLetters = (element: Element): boolean =>
    [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() !== '',
    );
  const letterColour = (element: Element): Colour | null => {
    const style = getComputedStyle(element);
    const plain = style.webkitTextFillColor === style.color && !blends(style);
    return plain ? colourOf(style.color) : null;
  };
  const lettersIn = (element: Element): (Colour | null)[] => {
    const found = [element, ...element.querySelectorAll('*')].filter(hasLetters).slice(0, 40);
    return [...new Map(found.map(letterColour).map((one) => [JSON.stringify(one), one])).values()];
  };
  return kept.map((number) => {
    const element = tools.kept[number] ?? document.body;
    return {
      colours: lettersIn(element),
      background: backgroundOf(element),
      painted: (colourOf(getComputedStyle(element).backgroundColor)?.[3] ?? 0) > 0,
      hasLetters: hasLetters(element),
    };
  });
}
