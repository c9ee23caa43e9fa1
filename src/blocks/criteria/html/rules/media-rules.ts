import { attribute, childrenOf, type Element, keyword, setOf } from '../dom.js';
import { isDisabled, tabIndexOf } from '../model/exposure.js';
import type { PageModel } from '../model/page-model.js';
import { explicitRole, isBound, isUnknown } from '../model/roles.js';
import { type Answer, type HtmlRule, htmlRule } from '../rule.js';

export const mediaRules: readonly HtmlRule[] = [
  htmlRule({
    id: 'media-autoplay',
    name: 'No automatic sound',
    description: 'No sound of more than three seconds starts automatically without controls',
    wcag: '1.4.2',
    act: ['80f0bf'],
    things: 'media that start automatically',
    suggestedFix: 'Add controls or muted, or remove autoplay',
    everywhere: true,
    judge:
      ({ hasScripts }) =>
      (element) => {
        if (
          !/^(?:audio|video)$/.test(element.tagName) ||
          attribute(element, 'autoplay') === undefined ||
          attribute(element, 'muted') !== undefined
        )
          return undefined;
        if (attribute(element, 'controls') !== undefined || isShort(element)) return [];
        if (element.tagName === 'video')
          return { unchecked: 'whether the video has sound is unknown' };
        return hasScripts
          ? { unchecked: 'a script may stop the sound' }
          : ['the sound starts automatically and cannot be stopped'];
      },
  }),
  htmlRule({
    id: 'media-controls',
    name: 'Moving pictures can be stopped',
    description: 'Every video that starts by itself, and not only once, has controls',
    severity: 'minor',
    category: 'missing',
    wcag: '2.2.2',
    things: 'videos that start by themselves',
    suggestedFix: 'Add controls, or remove autoplay',
    everywhere: true,
    judge: (model) => (element) =>
      element.tagName === 'video' &&
      model.exposure.isShown(element) &&
      attribute(element, 'autoplay') !== undefined
        ? judgeVideo(element, model)
        : undefined,
  }),
  htmlRule({
    id: 'autocomplete',
    name: 'Valid autocomplete',
    description: 'Every autocomplete attribute uses the words of HTML',
    wcag: '1.3.5',
    act: ['73f2c2'],
    things: 'autocomplete attributes',
    suggestedFix: 'Use a word such as "email", "given-name" or "postal-code"',
    everywhere: true,
    judge:
      ({ exposure }) =>
      (element) => {
        if (!isCompleted(element) || !exposure.isShown(element)) return undefined;
        if (isUnknown(element, 'autocomplete'))
          return { unchecked: 'the value comes from a template' };
        const value = attribute(element, 'autocomplete') ?? '';
        return isAutocomplete(value)
          ? []
          : [`autocomplete="${value.slice(0, 60)}" is not a value that HTML defines`];
      },
  }),
];

const handler = /^(?:on(?:click|key|pointer|mouse)|@|v-on:|\()/;

function judgeVideo(element: Element, { hasScripts, page }: PageModel): Answer {
  if (attribute(element, 'controls') !== undefined || isBound(element, 'controls')) return [];
  if (hasScripts || page.elements.some(({ attrs }) => attrs.some(({ name }) => handler.test(name))))
    return { unchecked: 'a script may stop the video' };
  return attribute(element, 'loop') === undefined
    ? { unchecked: 'how long the video plays is unknown' }
    : ['the video starts by itself, plays without end, and cannot be stopped'];
}

/** `#t=8,10` plays two seconds. */
function isShort(element: Element): boolean {
  const sources = [element, ...childrenOf(element).filter(({ tagName }) => tagName === 'source')];
  return sources.some((source) => {
    const [, from = '0', to] = /#t=([\d.]*),([\d.]+)/.exec(attribute(source, 'src') ?? '') ?? [];
    return to !== undefined && Number(to) - Number(from || 0) <= 3;
  });
}

const plain = setOf(`
  name honorific-prefix given-name additional-name family-name honorific-suffix nickname username
  new-password current-password one-time-code organization-title organization street-address
  address-line1 address-line2 address-line3 address-level4 address-level3 address-level2 address-level1
  country country-name postal-code cc-name cc-given-name cc-additional-name cc-family-name cc-number
  cc-exp cc-exp-month cc-exp-year cc-csc cc-type transaction-currency transaction-amount language bday
  bday-day bday-month bday-year sex url photo`);
const reachable =
  /^(?:tel(?:-(?:country-code|national|area-code|local(?:-(?:prefix|suffix))?|extension))?|email|impp)$/;

/** Returns whether a field that people can use has words for `autocomplete`. */
function isCompleted(element: Element): boolean {
  if (
    !/^(?:input|select|textarea)$/.test(element.tagName) ||
    /^(?:|on|off)$/.test(keyword(element, 'autocomplete'))
  )
    return false;
  const hasNoText =
    element.tagName === 'input' &&
    /^(?:hidden|button|submit|reset|checkbox|radio|image|file)$/.test(keyword(element, 'type'));
  const isUnused = isDisabled(element) || attribute(element, 'aria-disabled')?.trim() === 'true';
  return (
    !hasNoText &&
    !isUnused &&
    ((tabIndexOf(element) ?? 0) >= 0 || explicitRole(element) === undefined)
  );
}

function isAutocomplete(value: string): boolean {
  const tokens = value.trim().toLowerCase().split(/\s+/, 20);
  if (tokens.at(-1) === 'webauthn' && tokens.length > 1) tokens.pop();
  const field = tokens.pop() ?? '';
  if (tokens[0]?.startsWith('section-') === true) tokens.shift();
  if (/^(?:shipping|billing)$/.test(tokens[0] ?? '')) tokens.shift();
  if (reachable.test(field) && /^(?:home|work|mobile|fax|pager)$/.test(tokens[0] ?? ''))
    tokens.shift();
  return tokens.length === 0 && (plain.has(field) || reachable.test(field) || field === 'webauthn');
}
