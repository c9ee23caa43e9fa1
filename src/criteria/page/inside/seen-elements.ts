import type { PageTools } from './page-tools.js';

/** Whether a person sees an element. */
export type Sight = 'yes' | 'no' | 'unclear';

/**
 * Returns what styles and boxes say about whether a person sees some elements: `yes` if they hide
 * nothing. It runs inside the page.
 */
export function shownByStyles(tools: PageTools, kept: readonly number[]): Sight[] {
  const changes =
    /:(?:checked|target|hover|focus|focus-within|focus-visible|has|popover-open|open)\b[^{]{0,2000}\{[^}]{0,2000}(?:display|visibility|opacity|height|left|top|transform|clip)\b/;
  const showsLater =
    document.scripts.length > 0 ||
    [...document.styleSheets].some((sheet) => {
      try {
        return [...sheet.cssRules].some((rule) => changes.test(rule.cssText));
      } catch {
        return true;
      }
    });
  const folded = 'details:not([open]), dialog, [popover], [hidden="until-found"]';
  const hidden = (element: Element): Sight =>
    showsLater || element.closest(folded) !== null ? 'unclear' : 'no';
  const isCutBy = (element: Element, around: Element): Sight => {
    const { overflowX, overflowY } = getComputedStyle(around);
    if (overflowX === 'visible' && overflowY === 'visible') return 'yes';
    const own = element.getBoundingClientRect();
    const { left, right, top, bottom, width, height } = around.getBoundingClientRect();
    if (width < 1 || height < 1) return hidden(element);
    const isInside = own.left < right && own.right > left && own.top < bottom && own.bottom > top;
    return isInside ? 'yes' : 'unclear';
  };
  const cut = (element: Element): Sight => {
    for (
      let at = element.parentElement;
      at !== null && at !== document.body;
      at = at.parentElement
    ) {
      const sight = isCutBy(element, at);
      if (sight !== 'yes') return sight;
    }
    return 'yes';
  };
  const boxed = (element: Element): Sight => {
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    const { scrollWidth } = document.documentElement;
    if (width <= 1 || height <= 1) return element.children.length > 0 ? 'unclear' : hidden(element);
    if (right + scrollX <= 0 || bottom + scrollY <= 0) return hidden(element);
    return left + scrollX >= scrollWidth || top + scrollY < 0 ? 'unclear' : cut(element);
  };
  const isUnknown = (element: Element): boolean =>
    element.closest('option, optgroup, datalist, map') !== null ||
    (element instanceof SVGElement && (element.textContent ?? '').trim() !== '') ||
    (element instanceof HTMLImageElement && (!element.complete || element.naturalWidth === 0));
  const look = (element: Element): Sight => {
    if (isUnknown(element)) return 'unclear';
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      return hidden(element);
    const { clipPath, clip, fontSize } = getComputedStyle(element);
    if (clipPath !== 'none' || clip !== 'auto') return 'unclear';
    return Number.parseFloat(fontSize) <= 1 ? hidden(element) : boxed(element);
  };
  return kept.map((number) => {
    const element = tools.kept[number];
    return element === undefined ? 'unclear' : look(element);
  });
}

/** Returns whether other elements lie over some elements. It runs inside the page. */
export function uncovered(tools: PageTools, kept: readonly number[]): Sight[] {
  const sightAt = (element: Element, x: number, y: number): Sight => {
    const top = document.elementFromPoint(x, y);
    if (top === null) return 'unclear';
    if (element.contains(top) || top.contains(element)) return 'yes';
    const { backgroundColor, opacity } = getComputedStyle(top);
    const solid = backgroundColor.startsWith('rgb(') && opacity === '1';
    return solid || top.matches('img, video, canvas') ? 'no' : 'unclear';
  };
  const look = (element: Element): Sight => {
    const { top } = element.getBoundingClientRect();
    scrollTo({ top: top + scrollY - innerHeight / 3, behavior: 'instant' });
    const box = element.getBoundingClientRect();
    const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
    const [high, low] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
    if (right - left < 1 || low - high < 1) return 'unclear';
    const sights = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) =>
      sightAt(element, left + (right - left) * share, (high + low) / 2),
    );
    const [first = 'unclear'] = sights;
    return sights.every((sight) => sight === first) ? first : 'unclear';
  };
  const found = kept.map((number): Sight => {
    const element = tools.kept[number];
    return element === undefined ? 'unclear' : look(element);
  });
  scrollTo({ top: 0, behavior: 'instant' });
  return found;
}
