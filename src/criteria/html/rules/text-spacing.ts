import { attribute, type Element, parentOf } from '../dom.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

/** The minimum spacing that people must be able to set, in em. */
const least: Readonly<Record<string, number>> = {
  'letter-spacing': 0.12,
  'word-spacing': 0.16,
  'line-height': 1.5,
};

/** The rule against inline styles that fix the spacing of text. */
export const textSpacing: HtmlRule = {
  id: 'text-spacing',
  name: 'Spacing of text',
  description: 'No !important in a style attribute sets letters, words or lines too close together',
  severity: 'major',
  category: 'incorrect',
  version: 2,
  wcag: '1.4.12',
  act: ['24afc2', '9e45ec', '78fd32'],
  things: 'spacings that are !important',
  suggestedFix:
    'Remove !important, or use at least 0.12em for letters, 0.16em for words and 1.5 for lines',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, ({ exposure }) => (element) => {
      if (!exposure.isShown(element)) return undefined;
      const spacings = importantSpacings(element).filter(({ property }) =>
        spacesText(element, property),
      );
      return spacings.length === 0 || isMovedAway(element)
        ? undefined
        : judgeSpacings(element, spacings);
    }),
};

/** How far inside an element is looked, so that nested styles cost bounded time. */
const mostNodes = 5000;

interface Spacing {
  readonly property: string;
  readonly ems: number | undefined;
}

function judgeSpacings(element: Element, spacings: readonly Spacing[]): Answer {
  const small = spacings.filter(
    ({ property, ems }) => ems !== undefined && ems < (least[property] ?? 0),
  );
  if (small.length === 0)
    return spacings.some(({ ems }) => ems === undefined)
      ? { unchecked: 'the size of the text is unknown' }
      : [];
  if (small.every(({ property }) => property === 'line-height') && mayScroll(element))
    return { unchecked: 'its lines may never wrap' };
  return small.map(({ property }) => `${property} is !important and too small`);
}

/** Returns whether an element sets the spacing of text in it that no element inside sets anew. */
function spacesText(element: Element, property: string): boolean {
  const waiting = [...element.childNodes];
  let left = mostNodes;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    left -= 1;
    if (left === 0 || ('value' in node && node.value.trim() !== '')) return true;
    if ('tagName' in node && !sets(node, property)) waiting.push(...node.childNodes);
  }
  return false;
}

/** Returns whether an element inside sets a size of its own, so that its text has another size. */
function sizesInside(element: Element): boolean {
  const waiting = [...element.childNodes];
  let left = mostNodes;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    left -= 1;
    if (!('tagName' in node)) continue;
    if (left <= 0 || sets(node, 'font-size')) return true;
    waiting.push(...node.childNodes);
  }
  return false;
}

function sets(element: Element, property: string): boolean {
  return new RegExp(`(?:^|;)\\s*${property}\\s*:`, 'i').test(attribute(element, 'style') ?? '');
}

const away =
  /(?:^|;)\s*(?:top|left|right|bottom|text-indent)\s*:\s*-\d{3,6}(?:\.\d+)?(?:em|rem|px)/i;
const scrolls =
  /(?:^|;)\s*(?:overflow(?:-x)?\s*:\s*(?:scroll|auto)|white-space\s*:\s*(?:nowrap|pre)\b)/i;

/** Returns whether a style puts an element off the screen, where nobody reads it. */
function isMovedAway(element: Element): boolean {
  return stylesAbove(element).some((style) => away.test(style));
}

/** Returns whether people may scroll along the lines of an element, so that they need not wrap. */
function mayScroll(element: Element): boolean {
  return stylesAbove(element).some((style) => scrolls.test(style));
}

function stylesAbove(element: Element): string[] {
  const styles: string[] = [];
  for (let at: Element | undefined = element; at !== undefined; at = parentOf(at)) {
    const style = attribute(at, 'style');
    if (style !== undefined && style.length <= 20_000) styles.push(style);
  }
  return styles;
}

/**
 * Returns the spacings of a style attribute that nothing can override. The last important one of
 * each property counts.
 */
function importantSpacings(element: Element): Spacing[] {
  const style = attribute(element, 'style') ?? '';
  if (!/!\s*important/i.test(style) || style.length > 20_000) return [];
  const size = sizesInside(element)
    ? undefined
    : /(?:^|;)\s*font-size\s*:\s*([\d.]+)px/i.exec(style)?.[1];
  const found = new Map<string, string>();
  for (const [, property = '', value = ''] of style.matchAll(
    /(?:^|;)\s*(letter-spacing|word-spacing|line-height)\s*:\s*([^;!]{1,80})!\s*important/gi,
  ))
    found.set(property.toLowerCase(), value.trim().toLowerCase());
  return [...found]
    .filter(([, value]) => !/^(?:inherit|unset|revert|revert-layer)$/.test(value))
    .map(([property, value]) => ({
      property,
      ems: emsOf(property, value, size === undefined ? undefined : Number(size)),
    }));
}

function emsOf(property: string, value: string, size: number | undefined): number | undefined {
  const isLine = property === 'line-height';
  if (value === 'normal' || value === 'initial') return isLine ? 1.2 : 0;
  const [, amount = '', unit = ''] = /^(-?(?:\d+(?:\.\d*)?|\.\d+))([a-z%]*)$/.exec(value) ?? [];
  if (amount === '') return undefined;
  const perEm = new Map<string, number | undefined>([
    ['em', 1],
    ['px', size],
    ...(isLine
      ? ([
          ['', 1],
          ['%', 100],
        ] as const)
      : []),
  ]).get(unit);
  if (Number(amount) <= 0) return Number(amount);
  return perEm === undefined || perEm <= 0 ? undefined : Number(amount) / perEm;
}
