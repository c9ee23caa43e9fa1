import type { Place } from '../page-place.js';
import type { PageTools } from './page-tools.js';

/** What does not fit into a narrow window. */
export interface Narrow {
  readonly wide: number;
  readonly window: number;
  readonly judged: number;
  readonly places: readonly (Place & { readonly right: number })[];
}

/** Returns what is wider than the window. It runs inside the page. */
export function tooWide(tools: PageTools): Narrow {
  const root = document.scrollingElement ?? document.documentElement;
  const window = document.documentElement.clientWidth;
  const wide = root.scrollWidth;
  const all = [...document.querySelectorAll('body, body *')];
  if (wide <= window) return { wide, window, judged: all.length, places: [] };
  // what needs two dimensions may scroll
  const free = 'table, pre, code, svg, math, canvas, video, iframe, map, [role="grid"], textarea';
  const cut = (element: Element): boolean =>
    /hidden|clip/.test(getComputedStyle(element).overflowX);
  const hides = cut(document.documentElement) || cut(document.body);
  const rightOf = (element: Element): number => element.getBoundingClientRect().right + scrollX;
  const isHeld = (element: Element): boolean => {
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible' && rightOf(at) <= window + 1) return true;
    return false;
  };
  const hasContent = (element: Element): boolean =>
    element.matches('a[href], button, input, select, textarea, img') ||
    (element.textContent ?? '').trim() !== '';
  const sticksOut = all.filter(
    (element) =>
      rightOf(element) > window + 0.5 &&
      tools.isShown(element) &&
      getComputedStyle(element).position !== 'fixed' &&
      !isHeld(element),
  );
  const out = new Set(sticksOut);
  const causes = sticksOut.filter((element) => {
    if (element.closest(free) !== null || (hides && !hasContent(element))) return false;
    if (element.querySelector(free) !== null && element.children.length === 1) return false;
    const { parentElement } = element;
    return parentElement === null || !out.has(parentElement);
  });
  return {
    wide,
    window,
    judged: all.length,
    places: causes
      .map((element) => ({ ...tools.place(element), right: Math.round(rightOf(element)) }))
      .sort((a, b) => b.right - a.right)
      .slice(0, 5),
  };
}

/** Doubles the size of all text, and returns what is cut off then. It runs inside the page. */
export function cutOffWhenLarge(tools: PageTools): Place[] {
  const all = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    (element) => element instanceof HTMLElement && tools.isShown(element),
  );
  const cutsText = (element: HTMLElement): boolean => {
    const style = getComputedStyle(element);
    return (
      /hidden|clip/.test(style.overflowY) &&
      style.textOverflow !== 'ellipsis' &&
      style.webkitLineClamp === 'none' &&
      element.clientHeight >= 12 &&
      element.clientWidth >= 12 &&
      (element.textContent ?? '').trim() !== ''
    );
  };
  const hidden = (element: HTMLElement): number => element.scrollHeight - element.clientHeight;
  const before = all
    .filter(cutsText)
    .filter((element) => hidden(element) <= 1)
    .map((element) => ({ element, size: Number.parseFloat(getComputedStyle(element).fontSize) }));
  if (before.length === 0) return [];
  const sizes = all.map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  const earlier = all.map((element) => element.style.getPropertyValue('font-size'));
  for (const [index, element] of all.entries())
    element.style.setProperty('font-size', `${(sizes[index] ?? 16) * 2}px`, 'important');
  const cut = before
    .filter(({ element, size }) => hidden(element) > size)
    .map(({ element }) => tools.place(element));
  for (const [index, element] of all.entries())
    element.style.setProperty('font-size', earlier[index] ?? '');
  return cut.slice(0, 5);
}
