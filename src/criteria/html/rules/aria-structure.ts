import { attribute, type Element, parentOf } from '../dom.js';
import { requiredContext, requiredOwned } from '../model/aria-roles.js';
import type { PageModel } from '../model/page-model.js';
import { explicitRole, hasGlobalAria, semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

const common = {
  severity: 'major',
  category: 'incorrect',
  version: 2,
  repairs: false,
  wcag: '1.3.1',
} as const;

export const ariaContext: HtmlRule = {
  ...common,
  id: 'aria-context',
  name: 'Roles in their context',
  description:
    'Every role is inside the role that it requires: tabs in a tablist, options in a listbox',
  act: ['ff89c9'],
  things: 'elements whose role needs a parent role',
  suggestedFix: 'Put the element into one with the required parent role',
  judge: ({ pages }) =>
    judgeEach(pages, (model) => {
      const owners = ownersIn(model);
      return (element) => {
        const role = ownRole(element, model);
        const context = role === undefined ? undefined : requiredContext.get(role);
        if (context === undefined) return undefined;
        return context.includes(holderOf(element, owners, context))
          ? []
          : [`role="${role}" is not inside ${context.join(' or ')}`];
      };
    }),
};

export const ariaOwned: HtmlRule = {
  ...common,
  id: 'aria-owned',
  name: 'Roles with their content',
  description: 'Every role that requires child roles contains only those',
  act: ['bc4a75'],
  things: 'elements whose role needs child roles',
  suggestedFix: 'Give the children the roles that this role needs',
  judge: ({ pages }) =>
    judgeEach(pages, (model) => (element) => {
      const role = ownRole(element, model) ?? '';
      const wanted = requiredOwned.get(role);
      return wanted === undefined || attribute(element, 'aria-busy')?.trim() === 'true'
        ? undefined
        : judgeOwned(element, model, { role, wanted });
    }),
};

function judgeOwned(
  element: Element,
  model: PageModel,
  { role, wanted }: { readonly role: string; readonly wanted: readonly string[] },
): Answer {
  const owned = ownedRoles(element, model, wanted);
  if (owned.length === 0)
    return model.hasScripts || hasTemplate(element)
      ? { unchecked: 'a script may fill it' }
      : [`role="${role}" contains no ${wanted.join(' or ')}`];
  const strange = owned.find((each) => !wanted.includes(each));
  return strange === undefined
    ? []
    : [`role="${role}" contains ${strange}, not only ${wanted.join(' or ')}`];
}

/** Returns the explicit role of an exposed element. */
function ownRole(element: Element, { exposure }: PageModel): string | undefined {
  const role = explicitRole(element);
  return role !== undefined && exposure.isExposed(element) && role === semanticRole(element)
    ? role
    : undefined;
}

/** Returns the owners of elements through `aria-owns`. */
function ownersIn({ page }: PageModel): ReadonlyMap<Element, Element> {
  const owners = new Map<Element, Element>();
  for (const element of page.elements)
    for (const owned of referred(element, page.byId)) owners.set(owned, element);
  return owners;
}

function referred(element: Element, byId: ReadonlyMap<string, readonly Element[]>): Element[] {
  const ids = attribute(element, 'aria-owns');
  return ids === undefined ? [] : ids.split(/\s+/, 50).flatMap((id) => byId.get(id)?.[0] ?? []);
}

const transparent = new Set(['generic', 'none', 'presentation', '']);

/** Returns whether assistive technology leaves an element out, so that its children count as its parent's. */
function isTransparent(element: Element): boolean {
  return transparent.has(semanticRole(element)) && !hasGlobalAria(element);
}

/** Returns the role of the nearest meaningful ancestor. It may skip groups. */
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

/** Returns the roles of the children that assistive technology sees. */
function ownedRoles(
  element: Element,
  { page, exposure }: PageModel,
  wanted: readonly string[],
): string[] {
  const roles: string[] = [];
  const childrenOf = (parent: Element): Element[] =>
    parent.childNodes.filter((node): node is Element => 'tagName' in node);
  const waiting = [...childrenOf(element), ...referred(element, page.byId)];
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
