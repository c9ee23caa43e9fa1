import type { NodeResult, Result } from 'axe-core';
import type { PageTools } from './page-tools.js';

declare const axe: typeof import('axe-core');

/** Runs inside the page, so the answer is data. */
export async function axeFacts(
  tools: PageTools,
  { tags, off }: Readonly<Record<'tags' | 'off', readonly string[]>>,
): Promise<unknown> {
  const result = await axe.run(document, {
    runOnly: { type: 'tag', values: [...tags] },
    rules: {
      'target-size': { enabled: true },
      ...Object.fromEntries(off.map((id) => [id, { enabled: false }])),
    },
    iframes: false,
    preload: false,
    elementRef: true,
    resultTypes: ['violations', 'incomplete'],
  });
  const nodeOf = ({ element, any: [first] }: NodeResult) => ({
    place: tools.place(element ?? document.documentElement),
    why: first?.message ?? '',
  });
  const acts = new Map(axe.getRules().map(({ ruleId, actIds = [] }) => [ruleId, actIds]));
  const ruleOf = ({ id, impact, help, helpUrl, nodes }: Result) => ({
    ...{ id, help, helpUrl },
    impact: impact ?? '',
    act: acts.get(id) ?? [],
    nodes: nodes.map(nodeOf),
  });
  return {
    violations: result.violations.map(ruleOf),
    incomplete: result.incomplete.map(ruleOf),
    passed: result.passes.map(({ id, nodes }) => ({ id, count: nodes.length })),
  };
}

/** Runs inside the page. */
export function referencesOf(tools: PageTools): unknown {
  const kinds: Readonly<Record<string, string>> = {
    ...{ img: 'image', input: 'image', iframe: 'frame' },
    ...{ video: 'media file', audio: 'media file', source: 'media file' },
  };
  const kindOf = (element: Element, name: string): string => {
    if (element instanceof HTMLLinkElement)
      return /icon/i.test(element.rel) ? 'icon' : 'stylesheet';
    return name === 'poster' ? 'image' : (kinds[element.localName] ?? element.localName);
  };
  const selectors: Readonly<Record<string, string>> = {
    src: 'img, input[type="image"], script, track, embed, video, audio, source, iframe, frame',
    href: 'link[rel~="stylesheet" i], link[rel~="icon" i]',
    poster: 'video',
    data: 'object',
  };
  const found = Object.entries(selectors).flatMap(([name, selector]) =>
    [...document.querySelectorAll(selector)].map((element) => ({
      value: element.getAttribute(name)?.trim() ?? '',
      kind: kindOf(element, name),
      element,
    })),
  );
  return found
    .filter(({ value }) => value !== '' && URL.canParse(value, document.baseURI))
    .map(({ value, kind, element }) => {
      const url = new URL(value, document.baseURI).href;
      // a broken picture of another address did not arrive
      const broken =
        element instanceof HTMLImageElement &&
        element.complete &&
        element.naturalWidth === 0 &&
        (url.startsWith('data:') || new URL(url).origin === location.origin);
      return { url: url.slice(0, 2000), kind, broken, place: tools.place(element) };
    });
}

/** Returns what is wider than the window. It runs inside the page. */
export function tooWide(tools: PageTools): unknown {
  const root = document.scrollingElement ?? document.documentElement;
  const window = document.documentElement.clientWidth;
  const all = [...document.querySelectorAll('body, body *')];
  if (root.scrollWidth <= window) return { window, judged: all.length, places: [] };
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
      element.getBoundingClientRect().width > 0 &&
      element.getBoundingClientRect().height > 0 &&
      element.checkVisibility({ visibilityProperty: true }) &&
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
  const places = causes
    .map((element) => ({ ...tools.place(element), right: Math.round(rightOf(element)) }))
    .sort((a, b) => b.right - a.right)
    .slice(0, 5);
  return { window, judged: all.length, places };
}
