import { attribute, type Element } from '../dom.js';
import { isUnknown } from '../model/placeholders.js';
import { type HtmlRule, judgeEach } from '../rule.js';

const enough = 2;

export const viewportZoom: HtmlRule = {
  id: 'viewport-zoom',
  name: 'Zoom',
  description: 'Every viewport allows zooming to twice the size',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '1.4.4',
  act: ['b4f0c3'],
  things: 'viewports',
  suggestedFix: 'Remove user-scalable and maximum-scale',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, () => (element) => {
      if (!isViewport(element)) return undefined;
      if (isUnknown(element, 'content')) return { unchecked: 'the viewport comes from a template' };
      return blocksZoom(attribute(element, 'content') ?? '')
        ? ['the viewport prevents zooming to twice the size']
        : [];
    }),
};

/** Returns whether an element is the viewport meta element. */
export function isViewport(element: Element): boolean {
  return (
    element.tagName === 'meta' && attribute(element, 'name')?.trim().toLowerCase() === 'viewport'
  );
}

function blocksZoom(content: string): boolean {
  const given = new Map(
    Array.from(
      content.slice(0, 2000).matchAll(/(?<![a-z-])([a-z-]+)\s*=\s*([^\s,;=]+)/gi),
      ([, name = '', value = '']) => [name.toLowerCase(), value.toLowerCase()],
    ),
  );
  return forbids(given.get('user-scalable')) || limits(given.get('maximum-scale'));
}

function forbids(scalable: string | undefined): boolean {
  if (scalable === undefined || /^(?:yes|device-width|device-height)$/.test(scalable)) return false;
  const number = Number.parseFloat(scalable);
  return Number.isNaN(number) || Math.abs(number) < 1;
}

function limits(scale: string | undefined): boolean {
  if (scale === undefined || /^device-(?:width|height)$/.test(scale)) return false;
  const number = scale === 'yes' ? 1 : Number.parseFloat(scale);
  return Number.isNaN(number) ? true : number >= 0 && number < enough;
}
