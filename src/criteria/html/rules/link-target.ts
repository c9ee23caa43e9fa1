import { attribute, type Element } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { isBound, isPlaceholder } from '../model/placeholders.js';
import { isExternal, isInsecure } from '../model/references.js';
import { foundAt } from '../place.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

/** Names of links to the top of a page, which `#` is. */
const toTop =
  /\b(?:top|up|start|home|begin(?:ning)?|oben|anfang|haut|arriba|inicio|cima|topo|su)\b|[↑⬆▲⇧△⌃]/iu;

/** The rule for the addresses of links. */
export const linkTarget: HtmlRule = {
  id: 'link-target',
  name: 'Links lead somewhere, safely',
  description: 'Links lead to places, over HTTPS, and give other sites no hold on the window',
  severity: 'minor',
  category: 'incorrect',
  version: 1,
  things: 'links',
  suggestedFix: 'Correct the address of the link',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => {
      const answer = answerIn(model);
      return (element) => {
        if (!/^(?:a|area)$/.test(element.tagName)) return undefined;
        const address = attribute(element, 'href')?.trim();
        return address === undefined || isPlaceholder(address) || isBound(element, 'href')
          ? undefined
          : answer(element, address);
      };
    }),
};

function answerIn(model: PageModel): (element: Element, address: string) => Answer {
  const frames = new Set(model.page.elements.flatMap(namesOfFrames));
  return (element, address) => {
    if (/^javascript:/i.test(address))
      return [
        foundAt(model.page, element, {
          description: 'the link runs a script, and leads nowhere without it',
          suggestedFix: 'Use a button for an action, or the address of a page for a link',
        }),
      ];
    if (address === '#') return answerToEmpty(model, element);
    const problems: string[] = [];
    if (isInsecure(address)) problems.push('the link leads to a page over plain HTTP');
    if (isExternal(address) && keepsOpener(element, frames))
      problems.push('the page behind the link can change the address of this window');
    return problems.map((description) =>
      foundAt(model.page, element, {
        description,
        suggestedFix: description.includes('HTTP')
          ? 'Use https://, if the site answers there'
          : 'Use target="_blank" without rel="opener", or add rel="noopener"',
      }),
    );
  };
}

function answerToEmpty(model: PageModel, element: Element): Answer {
  if (toTop.test(model.names.nameOf(element))) return [];
  const isHandled =
    model.hasScripts ||
    element.attrs.some(({ name }) => /^(?:on|@|v-on:|x-on:|ng-|\(|data-|aria-|role$)/.test(name));
  return isHandled
    ? { unchecked: 'a script may give the link its target' }
    : [
        foundAt(model.page, element, {
          description: 'the link leads nowhere',
          suggestedFix: 'Name the page or the id that it leads to',
        }),
      ];
}

/**
 * Returns whether the other page gets a hold on this window. Browsers give none to `_blank`, unless
 * the link asks for it.
 */
function keepsOpener(element: Element, frames: ReadonlySet<string>): boolean {
  const target = attribute(element, 'target')?.trim().toLowerCase() ?? '';
  const rel = (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/, 20);
  if (rel.includes('noopener') || rel.includes('noreferrer')) return false;
  if (target === '_blank') return rel.includes('opener');
  return target !== '' && !target.startsWith('_') && !isPlaceholder(target) && !frames.has(target);
}

function namesOfFrames(element: Element): string[] {
  const name = /^i?frame$/.test(element.tagName) ? attribute(element, 'name') : undefined;
  return name === undefined ? [] : [name.toLowerCase()];
}
