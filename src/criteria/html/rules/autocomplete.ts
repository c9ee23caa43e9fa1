import { attribute, type Element } from '../dom.js';
import { isDisabled, tabIndexOf } from '../model/focus.js';
import type { PageModel } from '../model/page-model.js';
import { isUnknown } from '../model/placeholders.js';
import { explicitRole } from '../model/roles.js';
import { type HtmlRule, judgeEach } from '../rule.js';

const plain = new Set(
  (
    'name honorific-prefix given-name additional-name family-name honorific-suffix nickname username new-password current-password one-time-code organization-title organization street-address address-line1 address-line2 address-line3 ' +
    'address-level4 address-level3 address-level2 address-level1 country country-name postal-code cc-name cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type ' +
    'transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo'
  ).split(' '),
);
const reachable = new Set(
  'tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp'.split(
    ' ',
  ),
);

/** The rule for values of `autocomplete`. */
export const autocomplete: HtmlRule = {
  id: 'autocomplete',
  name: 'Valid autocomplete',
  description: 'Every autocomplete attribute uses the words of HTML',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '1.3.5',
  act: ['73f2c2'],
  things: 'autocomplete attributes',
  suggestedFix: 'Use a word such as "email", "given-name" or "postal-code"',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => (element) => {
      if (!isApplicable(element, model)) return undefined;
      if (isUnknown(element, 'autocomplete'))
        return { unchecked: 'the value comes from a template' };
      const value = attribute(element, 'autocomplete') ?? '';
      return isValid(value)
        ? []
        : [`autocomplete="${value.slice(0, 60)}" is not a value that HTML defines`];
    }),
};

function isApplicable(element: Element, { exposure }: PageModel): boolean {
  const value = attribute(element, 'autocomplete')?.trim().toLowerCase() ?? '';
  if (
    !/^(?:input|select|textarea)$/.test(element.tagName) ||
    value === '' ||
    value === 'on' ||
    value === 'off'
  )
    return false;
  if (
    element.tagName === 'input' &&
    /^(?:hidden|button|submit|reset|checkbox|radio|image|file)$/i.test(
      attribute(element, 'type')?.trim() ?? '',
    )
  )
    return false;
  if (isDisabled(element) || attribute(element, 'aria-disabled')?.trim() === 'true') return false;
  if ((tabIndexOf(element) ?? 0) < 0 && explicitRole(element) !== undefined) return false;
  return exposure.isExposed(element) || exposure.isShown(element);
}

function isValid(value: string): boolean {
  const tokens = value.trim().toLowerCase().split(/\s+/, 20);
  if (tokens.at(-1) === 'webauthn' && tokens.length > 1) tokens.pop();
  const field = tokens.pop() ?? '';
  if (tokens[0]?.startsWith('section-') === true) tokens.shift();
  if (/^(?:shipping|billing)$/.test(tokens[0] ?? '')) tokens.shift();
  if (reachable.has(field) && /^(?:home|work|mobile|fax|pager)$/.test(tokens[0] ?? ''))
    tokens.shift();
  return tokens.length === 0 && (plain.has(field) || reachable.has(field) || field === 'webauthn');
}
