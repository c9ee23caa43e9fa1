import type { Place } from '../page-files.js';

export interface PageTools {
  readonly place: (element: Element) => Place;
  readonly keep: (element: Element) => number;
  readonly kept: Element[];
  readonly focused: () => Element | null;
}

/** Runs inside a page, so it refers to nothing outside. */
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
    focused: () => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at;
    },
  };
}

/** Ends animations, and hides what blinks. It adds no element, so selectors match as before. */
export function settle(_tools: PageTools): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, ::before, ::after { caret-color: transparent !important; transition: none !important; scroll-behavior: auto !important }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const animation of document.getAnimations())
    try {
      animation.finish();
    } catch {
      animation.cancel();
    }
}

/** A person sees nothing in such a picture. It runs inside an empty page. */
export async function isOneColour(picture: string): Promise<boolean> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d');
  drawing?.drawImage(image, 0, 0);
  const data = drawing?.getImageData(0, 0, image.width, image.height).data ?? [];
  for (let at = 4; at < data.length; at += 1)
    if (Math.abs((data[at] ?? 0) - (data[at % 4] ?? 0)) > 8) return false;
  return true;
}
