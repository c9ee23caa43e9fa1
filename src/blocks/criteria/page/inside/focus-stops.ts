import * as z from 'zod';
import { BoxSchema, PlaceSchema } from '../page-files.js';
import type { PageTools } from './page-tools.js';

export const StopSchema = z.object({
  kept: z.number(),
  place: PlaceSchema,
  caret: z.boolean(),
  frame: z.boolean(),
  tabindex: z.number(),
  /** Whether nothing of it is on the page. */
  unseen: z.boolean(),
  /** Whether it has no area, which scripts may give it. */
  hollow: z.boolean(),
  clip: BoxSchema,
  window: BoxSchema,
});
export type Stop = z.infer<typeof StopSchema>;

/** Runs inside the page. */
export function currentStop(tools: PageTools): Stop | null {
  const element = tools.focused();
  if (element === null || element === document.body || element === document.documentElement)
    return null;
  const place = tools.place(element);
  const types =
    /^(?:text|search|url|tel|email|password|number|date|time|month|week|datetime-local)$/;
  const takesText = (): boolean => {
    if (element instanceof HTMLInputElement) return types.test(element.type) && !element.readOnly;
    const isEditable = element instanceof HTMLElement && element.isContentEditable;
    return element instanceof HTMLTextAreaElement || isEditable;
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
  const edge = 12;
  const x = Math.max(0, Math.floor(box.left - edge));
  const y = Math.max(0, Math.floor(box.top - edge));
  const width = Math.max(1, Math.min(innerWidth, Math.ceil(box.right + edge)) - x);
  const height = Math.max(1, Math.min(innerHeight, Math.ceil(box.bottom + edge)) - y);
  return {
    kept: tools.keep(element),
    place,
    caret: seen === element && takesText(),
    frame: element instanceof HTMLIFrameElement,
    tabindex:
      element instanceof HTMLElement || element instanceof SVGElement ? element.tabIndex : 0,
    unseen: seen === undefined || box.right + scrollX <= 0 || box.bottom + scrollY <= 0,
    hollow: box.width <= 1 || box.height <= 1,
    clip: { x: x + scrollX, y: y + scrollY, width, height },
    window: { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight },
  };
}

/** Takes the focus away. The next Tab still goes on from here. It runs inside the page. */
export function loseFocus(tools: PageTools): void {
  const element = tools.focused();
  if (element instanceof HTMLElement || element instanceof SVGElement) element.blur();
}

/** Runs inside the page. */
export function takeFocus(tools: PageTools, kept: number): void {
  const element = tools.kept[kept];
  if (element instanceof HTMLElement || element instanceof SVGElement)
    element.focus({ preventScroll: true });
}

/** Puts a link before and one after everything. It runs inside the page. */
export function addTrapLinks(tools: PageTools): void {
  const [first, last] = ['first', 'last'].map((text) => {
    const link = document.createElement('a');
    link.href = '#';
    link.textContent = text;
    return link;
  });
  if (first === undefined || last === undefined) return;
  document.documentElement.insertBefore(first, document.body);
  document.documentElement.append(last);
  tools.kept.splice(0, tools.kept.length, first, last);
}

/** Returns the number of the link with the focus, else -1, when short timers have run. It runs inside the page. */
export async function focusedLink(tools: PageTools): Promise<number> {
  await new Promise((resolve) => {
    setTimeout(resolve, 30);
  });
  const element = tools.focused();
  return element === null ? -1 : tools.kept.indexOf(element);
}
