import { attribute, type Element } from '../dom.js';
import { baseRole, namedByContent } from '../model/aria-roles.js';
import type { PageModel } from '../model/page-model.js';
import { isPlaceholder } from '../model/placeholders.js';
import { semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

const widgets =
  /^(?:button|checkbox|link|menuitem|menuitemcheckbox|menuitemradio|option|radio|switch|tab|treeitem)$/;
const paintedElsewhere =
  /(?:^|[\s_-])(?:sr-only|visually-?hidden|screen-?reader|offscreen|assistive|material-(?:icons|symbols))/i;

const iconFont = /font(?:-family)?\s*:[^;{}]{0,200}(?:icon|symbol|awesome|glyph)/i;

/** The rule for visible text in names. People say this text to reach the control. */
export const labelInName: HtmlRule = {
  id: 'label-in-name',
  name: 'Visible text in the name',
  description: 'The name of a control contains its visible text',
  severity: 'minor',
  category: 'incorrect',
  version: 2,
  wcag: '2.5.3',
  act: ['2ee8b8'],
  things: 'controls with a text and an aria-label',
  suggestedFix: 'Begin the aria-label with the visible text, or remove it',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => (element) => {
      if (!isApplicable(element, model)) return undefined;
      const seen = seenText(element, model);
      return seen === undefined
        ? { unchecked: 'its visible text is unknown' }
        : judgeText(seen, element, model);
    }),
};

function judgeText(seen: string, element: Element, model: PageModel): Answer {
  const visible = wordsOf(seen.replaceAll(/\([^)]{0,200}\)/g, ' '));
  if (!/\p{L}\P{L}*\p{L}|\p{N}\P{N}*\p{N}\P{N}*\p{N}/u.test(visible)) return undefined;
  const name = model.names.nameOf(element);
  if (isHeld(visible, name)) return [];
  return hasIconFont(model)
    ? { unchecked: 'a font of the page may draw its text as an icon' }
    : [
        `the name "${name.slice(0, 60)}" does not contain the visible text "${seen.trim().slice(0, 60)}"`,
      ];
}

/** Returns whether a style of the page names a font whose letters are drawings. */
function hasIconFont({ page }: PageModel): boolean {
  return page.elements.some((element) =>
    element.tagName === 'style'
      ? element.childNodes.some((node) => 'value' in node && iconFont.test(node.value))
      : iconFont.test(attribute(element, 'style') ?? ''),
  );
}

function isHeld(visible: string, name: string): boolean {
  return isPlaceholder(name) || ` ${wordsOf(name)} `.includes(` ${visible} `);
}

function isApplicable(element: Element, { exposure, names }: PageModel): boolean {
  if (
    attribute(element, 'aria-label') === undefined &&
    attribute(element, 'aria-labelledby') === undefined
  )
    return false;
  const role = exposure.isExposed(element) ? semanticRole(element) : '';
  return widgets.test(baseRole(role)) && namedByContent.has(role) && names.nameOf(element) !== '';
}

function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the visible text, or `undefined` if styles or templates decide it. */
function seenText(element: Element, { exposure }: PageModel): string | undefined {
  const parts: string[] = [];
  const waiting = [...element.childNodes].reverse();
  for (
    let node = waiting.pop(), steps = 0;
    node !== undefined && steps < 2000;
    node = waiting.pop(), steps += 1
  ) {
    if (node.nodeName === '#text' && 'value' in node) parts.push(node.value);
    if (
      !('tagName' in node) ||
      /^(?:svg|style|script|template)$/.test(node.tagName) ||
      !exposure.isShown(node)
    )
      continue;
    if (paintedElsewhere.test(attribute(node, 'class') ?? '')) return undefined;
    waiting.push(...[...node.childNodes].reverse());
  }
  const text = parts.join('');
  return isPlaceholder(text) ? undefined : text;
}
