import { attribute, type Element } from '../dom.js';
import { type AriaAttribute, ariaAttributes, mayHold } from '../model/aria-attributes.js';
import { knownRoles, nameProhibited, requiredStates, roleSupports } from '../model/aria-roles.js';
import { isFocusable } from '../model/focus.js';
import type { PageModel } from '../model/page-model.js';
import { isBound, isPlaceholder } from '../model/placeholders.js';
import { explicitRole, implicitRole, semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

const common = { severity: 'major', category: 'incorrect', version: 1, repairs: false } as const;

/** The rule for values of `role`. */
export const roleValid: HtmlRule = {
  ...common,
  id: 'role-valid',
  name: 'Valid roles',
  description: 'Every role attribute names an ARIA role',
  wcag: '4.1.2',
  act: ['674b10'],
  things: 'role attributes',
  suggestedFix: 'Use an ARIA role or a native element',
  judge: ({ pages }) =>
    judgeEach(
      pages,
      withAttributes((element) => {
        const role = attribute(element, 'role')?.trim() ?? '';
        if (role === '') return undefined;
        if (isPlaceholder(role)) return { unchecked: 'the role comes from a template' };
        return explicitRole(element) === undefined
          ? [`role="${role.slice(0, 60)}" does not name a role`]
          : [];
      }),
    ),
};

/** The rule for names of `aria-*` attributes. */
export const ariaDefined: HtmlRule = {
  ...common,
  id: 'aria-defined',
  name: 'Known ARIA attributes',
  description: 'Every aria-* attribute exists in WAI-ARIA',
  wcag: '4.1.2',
  act: ['5f99a7'],
  things: 'elements with aria attributes',
  suggestedFix: 'Correct the name of the attribute, or remove it',
  judge: ({ pages }) =>
    judgeEach(pages, () => (element) => {
      const given = ariaOf(element);
      return given.length === 0
        ? undefined
        : given
            .filter(({ name }) => !ariaAttributes.has(name))
            .map(({ name }) => `WAI-ARIA has no attribute ${name.slice(0, 60)}`);
    }),
};

export const ariaValues: HtmlRule = {
  ...common,
  id: 'aria-values',
  name: 'Valid ARIA values',
  description: 'Every ARIA attribute has a valid value',
  wcag: '4.1.2',
  act: ['6a7281'],
  things: 'elements with aria attributes',
  suggestedFix: 'Use one of the values that WAI-ARIA defines',
  judge: ({ pages }) =>
    judgeEach(
      pages,
      withAttributes((element) => {
        const given = knownAria(element).filter(({ value }) => value.trim() !== '');
        if (given.length === 0) return undefined;
        if (given.every(({ value }) => isPlaceholder(value)))
          return { unchecked: 'the values come from a template' };
        const wrong = given.filter(
          ({ value, known }) => !isPlaceholder(value) && !mayHold(known, value),
        );
        return wrong.map(
          ({ name, value }) => `${name}="${value.slice(0, 60)}" is not one of its values`,
        );
      }),
    ),
};

export const ariaPermitted: HtmlRule = {
  ...common,
  id: 'aria-permitted',
  name: 'Permitted ARIA attributes',
  description: 'The role of every element supports its ARIA attributes',
  severity: 'minor',
  wcag: '4.1.2',
  act: ['5c01ea'],
  things: 'elements with aria attributes',
  suggestedFix: 'Remove the attribute, or give the element a role that supports it',
  judge: ({ pages }) =>
    judgeEach(
      pages,
      withAttributes((element) => {
        const given = knownAria(element);
        if (given.length === 0) return undefined;
        const role = permittedRole(element);
        if (role === undefined) return { unchecked: 'the role of the element is unknown' };
        return given
          .filter(({ name, known }) => !isPermitted(role, name, known))
          .map(
            ({ name }) =>
              `${name} is not supported on ${role === '' ? `this ${element.tagName}` : `the role ${role}`}`,
          );
      }),
    ),
};

export const ariaRequired: HtmlRule = {
  ...common,
  id: 'aria-required',
  name: 'Required ARIA attributes',
  description: 'Every element with a role has the states that its role requires',
  wcag: '4.1.2',
  act: ['4e8ab6'],
  things: 'elements with a role',
  suggestedFix: 'Add the attribute, or use a native element with that state',
  judge: ({ pages }) =>
    judgeEach(
      pages,
      withAttributes((element) => {
        const role = explicitRole(element);
        if (role === undefined || role !== semanticRole(element) || role === implicitRole(element))
          return undefined;
        const required =
          role === 'separator' && isFocusable(element)
            ? ['aria-valuenow']
            : [...(requiredStates.get(role) ?? []), ...whileExpanded(element, role)];
        const missing = required.filter(
          (name) =>
            (attribute(element, name) ?? '').trim() === '' &&
            !isBound(element, name) &&
            !statesItself(element, name),
        );
        return missing.map((name) => `role="${role}" needs ${name}`);
      }),
    ),
};

/** An expanded combobox must name what it opened. */
function whileExpanded(element: Element, role: string): string[] {
  return role === 'combobox' && attribute(element, 'aria-expanded')?.trim() === 'true'
    ? ['aria-controls']
    : [];
}

/** Judges exposed elements that have attributes. */
function withAttributes(
  answer: (element: Element) => Answer,
): (model: PageModel) => (element: Element) => Answer {
  return ({ exposure }) =>
    (element) =>
      element.attrs.length > 0 && exposure.isExposed(element) ? answer(element) : undefined;
}

function ariaOf(element: Element): { readonly name: string; readonly value: string }[] {
  return element.attrs.filter(({ name }) => name.startsWith('aria-'));
}

function knownAria(
  element: Element,
): { readonly name: string; readonly value: string; readonly known: AriaAttribute }[] {
  return ariaOf(element).flatMap(({ name, value }) => {
    const known = ariaAttributes.get(name);
    return known === undefined ? [] : [{ name, value, known }];
  });
}

/** Returns the role that decides about attributes: inputs without a role count as text fields. */
function permittedRole(element: Element): string | undefined {
  const given = attribute(element, 'role');
  if (given !== undefined && isPlaceholder(given)) return undefined;
  const role = semanticRole(element);
  if (role !== '' || element.tagName === 'input' || element.tagName === 'summary')
    return role !== '' ? role : element.tagName === 'input' ? 'textbox' : 'button';
  return element.tagName.includes('-') || element.namespaceURI !== 'http://www.w3.org/1999/xhtml'
    ? undefined
    : '';
}

function isPermitted(role: string, name: string, { global }: AriaAttribute): boolean {
  if (/^aria-(?:label|labelledby)$/.test(name)) return !nameProhibited.has(role);
  if (role === 'generic' && name.endsWith('roledescription')) return false;
  return global || roleSupports(role, name) || !knownRoles.has(role === '' ? 'none' : role);
}

/** Returns whether a native element has a state without an attribute. */
function statesItself(element: Element, name: string): boolean {
  if (element.tagName !== 'input') return name === 'aria-level' && /^h[1-6]$/.test(element.tagName);
  const type = attribute(element, 'type')?.trim().toLowerCase() ?? 'text';
  return (
    (name === 'aria-checked' && /^(?:checkbox|radio)$/.test(type)) ||
    (name === 'aria-valuenow' && /^(?:range|number)$/.test(type))
  );
}
