import { attribute, type Element, parentOf } from '../dom.js';
import { isLanguageTag } from '../model/language.js';
import type { PageModel } from '../model/page-model.js';
import { isUnknown } from '../model/placeholders.js';
import { type HtmlRule, judgeEach } from '../rule.js';

/** The rule for valid languages of parts of a page. */
export const langValid: HtmlRule = {
  id: 'lang-valid',
  name: 'Valid languages of parts',
  description: 'Every lang attribute in the body is a language tag',
  severity: 'major',
  category: 'incorrect',
  version: 2,
  wcag: '3.1.2',
  act: ['de46e4'],
  things: 'lang attributes',
  suggestedFix: 'Write a language tag such as "en" or "pt-BR"',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => {
      const speaking = speakingParts(model);
      return (element) => {
        if (!speaking.has(element)) return undefined;
        if (isUnknown(element, 'lang')) return { unchecked: 'the language comes from a template' };
        const lang = attribute(element, 'lang') ?? '';
        return isLanguageTag(lang) ? [] : [`lang="${lang.slice(0, 40)}" is not a language tag`];
      };
    }),
};

/** Returns the elements of the body whose `lang` applies to some text. */
function speakingParts({ page, exposure }: PageModel): ReadonlySet<Element> {
  const nearest = new Map<Element, Element>();
  const speaking = new Set<Element>();
  for (const element of page.elements) {
    const parent = parentOf(element);
    const lang =
      element.tagName !== 'html' && (attribute(element, 'lang') ?? '') !== ''
        ? element
        : parent && nearest.get(parent);
    if (lang === undefined) continue;
    nearest.set(element, lang);
    if (saysSomething(element) && exposure.isShown(element)) speaking.add(lang);
  }
  return speaking;
}

function saysSomething(element: Element): boolean {
  if (
    ['alt', 'aria-label', 'title', 'placeholder'].some(
      (name) => (attribute(element, name) ?? '').trim() !== '',
    )
  )
    return true;
  return element.childNodes.some(
    (node) => node.nodeName === '#text' && 'value' in node && node.value.trim() !== '',
  );
}
