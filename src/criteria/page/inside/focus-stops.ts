import type { Box, Place } from '../page-place.js';
import type { PageTools } from './page-tools.js';

/** One element that the Tab key reached. */
export interface Stop {
  readonly kept: number;
  readonly place: Place;
  /** Whether a caret shows the focus. */
  readonly caret: boolean;
  readonly frame: boolean;
  readonly tabindex: number;
  /** Whether nothing of it is on the page. */
  readonly unseen: boolean;
  /** Whether it has no area, which scripts may give it. */
  readonly hollow: boolean;
  /** The part of the window round it, in coordinates of the page. */
  readonly clip: Box;
  readonly window: Box;
}

/** Returns the element with the focus, if any. It runs inside the page. */
export function currentStop(tools: PageTools): Stop | null {
  const element = tools.focused();
  if (element === null || element === document.body || element === document.documentElement)
    return null;
  const place = tools.place(element);
  const takesText = (): boolean => {
    const types =
      /^(?:text|search|url|tel|email|password|number|date|time|month|week|datetime-local)$/;
    if (element instanceof HTMLInputElement) return types.test(element.type) && !element.readOnly;
    return (
      element instanceof HTMLTextAreaElement ||
      (element instanceof HTMLElement && element.isContentEditable)
    );
  };
  const isSeen = (one: Element): boolean => {
    const { width, height } = one.getBoundingClientRect();
    return width > 1 && height > 1 && one.checkVisibility({ opacityProperty: true });
  };
  // pages often hide a field and draw its label
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const seen = [element, ...labels].find(isSeen);
  // the browser scrolls to the field, which may be elsewhere
  if (seen !== element) seen?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const box = (seen ?? element).getBoundingClientRect();
  const { left, top, right, bottom } = box;
  const edge = 12;
  const x = Math.max(0, Math.floor(left - edge));
  const y = Math.max(0, Math.floor(top - edge));
  const endX = Math.min(innerWidth, Math.ceil(right + edge));
  const endY = Math.min(innerHeight, Math.ceil(bottom + edge));
  const offPage = right + scrollX <= 0 || bottom + scrollY <= 0;
  return {
    kept: tools.keep(element),
    place,
    caret: seen === element && takesText(),
    frame: element instanceof HTMLIFrameElement,
    tabindex:
      element instanceof HTMLElement || element instanceof SVGElement ? element.tabIndex : 0,
    unseen: offPage || seen === undefined,
    hollow: box.width <= 1 || box.height <= 1,
    clip: {
      x: x + scrollX,
      y: y + scrollY,
      width: Math.max(1, endX - x),
      height: Math.max(1, endY - y),
    },
    window: { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight },
  };
}

/** Takes the focus away. The next Tab still goes on from here. It runs inside the page. */
export function loseFocus(tools: PageTools): void {
  const element = tools.focused();
  if (element instanceof HTMLElement || element instanceof SVGElement) element.blur();
}

/** Gives the focus back to an element. It runs inside the page. */
export function takeFocus(tools: PageTools, kept: number): void {
  const element = tools.kept[kept];
  if (element instanceof HTMLElement || element instanceof SVGElement)
    element.focus({ preventScroll: true });
}

/**
 * Returns the stops that styles move to another place than their place in the source: by `order`,
 * or by a reversed direction. It runs inside the page.
 */
export function movedStops(tools: PageTools, stops: readonly number[]): Place[] {
  const elements = stops.flatMap((kept) => tools.kept[kept] ?? []);
  const branchesOf = (first: Element, second: Element): readonly [Element, Element] | null => {
    const above = new Set<Element>();
    for (let at: Element | null = first; at !== null; at = at.parentElement) above.add(at);
    let branch = second;
    while (branch.parentElement !== null && !above.has(branch.parentElement))
      branch = branch.parentElement;
    const other = [...(branch.parentElement?.children ?? [])].find((child) => above.has(child));
    return other === undefined || other === branch ? null : [other, branch];
  };
  const isMoved = (first: Element, second: Element): boolean => {
    const style = getComputedStyle(first.parentElement ?? first);
    if (!/flex|grid/.test(style.display)) return false;
    const ordered =
      style.flexDirection.endsWith('reverse') ||
      [first, second].some((element) => getComputedStyle(element).order !== '0');
    const a = first.getBoundingClientRect();
    const b = second.getBoundingClientRect();
    const toLeft = style.direction === 'rtl' ? b.left >= a.right : b.right <= a.left;
    const sameRow = b.top < a.bottom && a.top < b.bottom;
    return ordered && (b.bottom <= a.top || (sameRow && toLeft));
  };
  return elements
    .filter((element, index) => {
      const before = elements[index - 1];
      const branches = before === undefined ? null : branchesOf(before, element);
      return branches !== null && isMoved(...branches);
    })
    .map((element) => tools.place(element));
}
