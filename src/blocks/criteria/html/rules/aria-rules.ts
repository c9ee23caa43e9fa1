import {
  attribute,
  childrenOf,
  type Element,
  isOfHtml,
  keyword,
  parentOf,
  wordsIn,
} from '../dom.js';
import {
  type AriaAttribute,
  ariaAttributes,
  knownRoles,
  mayHold,
  nameProhibited,
  requiredContext,
  requiredOwned,
  requiredStates,
  roleSupports,
} from '../model/aria.js';
import { isFocusable } from '../model/exposure.js';
import type { PageModel } from '../model/page-model.js';
import {
  explicitRole,
  hasGlobalAria,
  implicitRole,
  isBound,
  isPlaceholder,
  semanticRole,
} from '../model/roles.js';
import { type HtmlRule, htmlRule } from '../rule.js';

export const ariaRules: readonly HtmlRule[] = [
  htmlRule({
    id: 'aria-references',
    name: 'Existing references',
    description: 'Every label or description that an id refers to exists',
    wcag: '1.3.1, 4.1.2',
    act: ['in6db8'],
    things: 'references',
    suggestedFix: 'Correct the id, or add the element that it names',
    judge: ({ page, scripts }, { others }) => {
      const mayMake = (id: string): boolean =>
        isPlaceholder(id) ||
        scripts.includes(id) ||
        others.some(({ content = '' }) => content.includes(id));
      return (element) => {
        const references = [
          'aria-labelledby',
          'aria-describedby',
          ...(needsControls(element) ? ['aria-controls'] : []),
          ...(element.tagName === 'label' ? ['for'] : []),
        ]
          .map((name) => ({ name, ids: wordsIn(element, name) }))
          .filter(({ ids }) => ids.length > 0);
        if (references.length === 0) return undefined;
        const lost = references.filter(({ ids }) => !ids.some((id) => page.byId.has(id)));
        return lost.some(({ ids }) => ids.some(mayMake))
          ? { unchecked: 'a script may create the element that it refers to' }
          : lost.map(
              ({ name, ids }) => `${name}="${ids.join(' ').slice(0, 80)}" refers to nothing`,
            );
      };
    },
  }),
  htmlRule({
    id: 'role-valid',
    name: 'Valid roles',
    description: 'Every role attribute names an ARIA role',
    wcag: '4.1.2',
    act: ['674b10'],
    things: 'role attributes',
    suggestedFix: 'Use an ARIA role or a native element',
    judge: () => (element) => {
      const role = attribute(element, 'role')?.trim() ?? '';
      if (role === '') return undefined;
      if (isPlaceholder(role)) return { unchecked: 'the role comes from a template' };
      return explicitRole(element) === undefined
        ? [`role="${role.slice(0, 60)}" does not name a role`]
        : [];
    },
  }),
  htmlRule({
    id: 'aria-defined',
    name: 'Known ARIA attributes',
    description: 'Every aria-* attribute exists in WAI-ARIA',
    wcag: '4.1.2',
    act: ['5f99a7'],
    things: 'elements with aria attributes',
    suggestedFix: 'Correct the name of the attribute, or remove it',
    everywhere: true,
    judge: () => (element) => {
      const given = element.attrs.filter(({ name }) => name.startsWith('aria-'));
      if (given.length === 0) return undefined;
      const unknown = given.filter(({ name }) => !ariaAttributes.has(name));
      return unknown.map(({ name }) => `WAI-ARIA has no attribute ${name.slice(0, 60)}`);
    },
  }),
  htmlRule({
    id: 'aria-values',
    name: 'Valid ARIA values',
    description: 'Every ARIA attribute has a valid value',
    wcag: '4.1.2',
    act: ['6a7281'],
    things: 'elements with aria attributes',
    suggestedFix: 'Use one of the values that WAI-ARIA defines',
    judge: () => (element) => {
      const given = knownAria(element).filter(({ value }) => value.trim() !== '');
      const written = given.filter(({ value }) => !isPlaceholder(value));
      if (given.length === 0) return undefined;
      if (written.length === 0) return { unchecked: 'the values come from a template' };
      const wrong = written.filter(({ name, value, known }) => !mayHold(name, known, value));
      return wrong.map(
        ({ name, value }) => `${name}="${value.slice(0, 60)}" is not one of its values`,
      );
    },
  }),
  htmlRule({
    id: 'aria-permitted',
    name: 'Permitted ARIA attributes',
    description: 'The role of every element supports its ARIA attributes',
    severity: 'minor',
    wcag: '4.1.2',
    act: ['5c01ea'],
    things: 'elements with aria attributes',
    suggestedFix: 'Remove the attribute, or give the element a role that supports it',
    judge: () => (element) => {
      const given = knownAria(element);
      if (given.length === 0) return undefined;
      const role = permittedRole(element);
      if (role === undefined) return { unchecked: 'the role of the element is unknown' };
      const owner = role === '' ? `this ${element.tagName}` : `the role ${role}`;
      const refused = given.filter(({ name, known }) => !isPermitted(role, name, known));
      return refused.map(({ name }) => `${name} is not supported on ${owner}`);
    },
  }),
  htmlRule({
    id: 'aria-required',
    name: 'Required ARIA attributes',
    description: 'Every element with a role has the states that its role requires',
    wcag: '4.1.2',
    act: ['4e8ab6'],
    things: 'elements with a role',
    suggestedFix: 'Add the attribute, or use a native element with that state',
    judge: () => (element) => {
      const role = explicitRole(element);
      if (role === undefined || role !== semanticRole(element) || role === implicitRole(element))
        return undefined;
      const required =
        role === 'separator' && isFocusable(element) ? ['aria-valuenow'] : requiredStates(role);
      const missing = [...required, ...(opensSomething(element) ? ['aria-controls'] : [])].filter(
        (name) =>
          keyword(element, name) === '' && !isBound(element, name) && !statesItself(element, name),
      );
      return missing.map((name) => `role="${role}" needs ${name}`);
    },
  }),
  htmlRule({
    version: 2,
    wcag: '1.3.1',
    id: 'aria-context',
    name: 'Roles in their context',
    description:
      'Every role is inside the role that it requires: tabs in a tablist, options in a listbox',
    act: ['ff89c9'],
    things: 'elements whose role needs a parent role',
    suggestedFix: 'Put the element into one with the required parent role',
    judge: (model) => {
      const owners = ownersIn(model);
      return (element) => {
        const role = ownRole(element);
        const context = requiredContext(role);
        if (context.length === 0) return undefined;
        return context.includes(holderOf(element, owners, context))
          ? []
          : [`role="${role}" is not inside ${context.join(' or ')}`];
      };
    },
  }),
  htmlRule({
    version: 2,
    wcag: '1.3.1',
    id: 'aria-owned',
    name: 'Roles with their content',
    description: 'Every role that requires child roles contains only those',
    act: ['bc4a75'],
    things: 'elements whose role needs child roles',
    suggestedFix: 'Give the children the roles that this role needs',
    judge: (model) => (element) => {
      const role = ownRole(element);
      const wanted = requiredOwned(role);
      if (wanted.length === 0 || attribute(element, 'aria-busy')?.trim() === 'true')
        return undefined;
      const owned = ownedRoles(element, model, wanted);
      if (owned.length === 0)
        return model.hasScripts || hasTemplate(element)
          ? { unchecked: 'a script may fill it' }
          : [`role="${role}" contains no ${wanted.join(' or ')}`];
      const strange = owned.find((each) => !wanted.includes(each));
      return strange === undefined
        ? []
        : [`role="${role}" contains ${strange}, not only ${wanted.join(' or ')}`];
    },
  }),
];

function needsControls(element: Element): boolean {
  return (
    attribute(element, 'aria-controls') !== undefined &&
    (semanticRole(element) === 'scrollbar' || opensSomething(element))
  );
}

/** An expanded combobox must name what it opened. */
function opensSomething(element: Element): boolean {
  return (
    attribute(element, 'aria-expanded')?.trim() === 'true' && semanticRole(element) === 'combobox'
  );
}

function knownAria(
  element: Element,
): { readonly name: string; readonly value: string; readonly known: AriaAttribute }[] {
  return element.attrs.flatMap(({ name, value }) => {
    const known = name.startsWith('aria-') ? ariaAttributes.get(name) : undefined;
    return known === undefined ? [] : [{ name, value, known }];
  });
}

/** Inputs without a role count as text fields. */
function permittedRole(element: Element): string | undefined {
  const given = attribute(element, 'role');
  if (given !== undefined && isPlaceholder(given)) return undefined;
  const role = semanticRole(element);
  if (role !== '') return role;
  if (element.tagName === 'input') return 'textbox';
  if (element.tagName === 'summary') return 'button';
  return isOfHtml(element) ? '' : undefined;
}

function isPermitted(role: string, name: string, { global }: AriaAttribute): boolean {
  if (/^aria-(?:label|labelledby)$/.test(name)) return !nameProhibited.has(role);
  if (role === 'generic' && name.endsWith('roledescription')) return false;
  return global || roleSupports(role, name) || !knownRoles.has(role === '' ? 'none' : role);
}

function statesItself(element: Element, name: string): boolean {
  if (element.tagName !== 'input') return name === 'aria-level' && /^h[1-6]$/.test(element.tagName);
  const type = keyword(element, 'type');
  return (
    (name === 'aria-checked' && /^(?:checkbox|radio)$/.test(type)) ||
    (name === 'aria-valuenow' && /^(?:range|number)$/.test(type))
  );
}

function ownRole(element: Element): string {
  const role = explicitRole(element);
  return role !== undefined && role === semanticRole(element) ? role : '';
}

function ownersIn({ page }: PageModel): ReadonlyMap<Element, Element> {
  return new Map(
    page.elements.flatMap((element) =>
      ownedBy(element, page.byId).map((owned) => [owned, element] as const),
    ),
  );
}

function ownedBy(element: Element, byId: ReadonlyMap<string, readonly Element[]>): Element[] {
  return wordsIn(element, 'aria-owns').flatMap((id) => byId.get(id)?.[0] ?? []);
}

/** Returns whether assistive technology leaves an element out, so that its children count as its parent's. */
function isTransparent(element: Element): boolean {
  return /^(?:generic|none|presentation|)$/.test(semanticRole(element)) && !hasGlobalAria(element);
}

function holderOf(
  element: Element,
  owners: ReadonlyMap<Element, Element>,
  wanted: readonly string[],
): string {
  let above = owners.get(element) ?? parentOf(element);
  for (
    let steps = 0;
    above !== undefined && steps < 2000;
    above = owners.get(above) ?? parentOf(above), steps += 1
  ) {
    const role = semanticRole(above);
    const isGroup = role === 'group' && wanted.includes('group');
    if (!isTransparent(above) && !isGroup && !(role === 'rowgroup' && wanted.includes('row')))
      return role;
  }
  return '';
}

function ownedRoles(
  element: Element,
  { page, exposure }: PageModel,
  wanted: readonly string[],
): string[] {
  const roles: string[] = [];
  const waiting = [...childrenOf(element), ...ownedBy(element, page.byId)];
  const seen = new Set<Element>([element]);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node) || !exposure.isExposed(node)) continue;
    seen.add(node);
    const role = semanticRole(node);
    const isInner =
      role === 'group' && semanticRole(element) !== 'group' && wanted.includes('group');
    if (isTransparent(node) || isInner) waiting.push(...childrenOf(node));
    if (!isTransparent(node)) roles.push(role);
  }
  return roles;
}

function hasTemplate(element: Element): boolean {
  return (
    element.childNodes.some((node) => 'value' in node && /\{\{|\{%|<%|\{[\w.]/.test(node.value)) ||
    element.attrs.some(({ name }) => /^(?:v-|x-|:|\*ng|\[)/.test(name))
  );
}
