import { attribute, type Element } from '../dom.js';
import { judgeEach } from '../judge-each.js';
import type { HtmlRule } from '../rule.js';

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
  version: 1,
  wcag: '1.4.12',
  act: ['24afc2', '9e45ec', '78fd32'],
  things: 'spacings that are !important',
  suggestedFix:
    'Remove !important, or use at least 0.12em for letters, 0.16em for words and 1.5 for lines',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, ({ exposure }) => (element) => {
      const spacings = importantSpacings(element);
      if (spacings.length === 0 || !exposure.isShown(element) || !hasText(element))
        return undefined;
      const small = spacings.filter(
        ({ property, ems }) => ems !== undefined && ems < (least[property] ?? 0),
      );
      if (small.length === 0 && spacings.some(({ ems }) => ems === undefined))
        return { unchecked: 'the size of the text is unknown' };
      return small.map(({ property }) => `${property} is !important and too small`);
    }),
};

function hasText(element: Element): boolean {
  return element.childNodes.some((node) =>
    'tagName' in node ? true : 'value' in node && node.value.trim() !== '',
  );
}

/**
 * Returns the spacings of a style attribute that nothing can override. The last important one of
 * each property counts.
 */
function importantSpacings(
  element: Element,
): { readonly property: string; readonly ems: number | undefined }[] {
  const style = attribute(element, 'style') ?? '';
  if (!/!\s*important/i.test(style) || style.length > 20_000) return [];
  const size = /(?:^|;)\s*font-size\s*:\s*([\d.]+)px/i.exec(style)?.[1];
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
