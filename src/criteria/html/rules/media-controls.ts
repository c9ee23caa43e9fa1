import { attribute, type Element } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { isBound } from '../model/placeholders.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

/** The rule for videos that start by themselves. */
export const mediaControls: HtmlRule = {
  id: 'media-controls',
  name: 'Moving pictures can be stopped',
  description: 'Every video that starts by itself, and not only once, has controls',
  severity: 'minor',
  category: 'missing',
  version: 1,
  wcag: '2.2.2',
  things: 'videos that start by themselves',
  suggestedFix: 'Add controls, or remove autoplay',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(
      pages,
      (model) => (element) => (startsItself(element, model) ? answerTo(element, model) : undefined),
    ),
};

function startsItself(element: Element, { exposure }: PageModel): boolean {
  return (
    element.tagName === 'video' &&
    exposure.isShown(element) &&
    attribute(element, 'autoplay') !== undefined
  );
}

function answerTo(element: Element, { hasScripts, page }: PageModel): Answer {
  if (attribute(element, 'controls') !== undefined || isBound(element, 'controls')) return [];
  if (hasScripts || page.elements.some(hasHandler))
    return { unchecked: 'a script may stop the video' };
  return attribute(element, 'loop') === undefined
    ? { unchecked: 'how long the video plays is unknown' }
    : ['the video starts by itself, plays without end, and cannot be stopped'];
}

function hasHandler(element: Element): boolean {
  return element.attrs.some(({ name }) =>
    /^(?:on(?:click|key|pointer|mouse)|@|v-on:|\()/.test(name),
  );
}
