import { attribute, type Element, parentOf } from '../dom.js';
import { isFocusable, isTabbable, tabIndexOf } from '../model/focus.js';
import type { PageModel } from '../model/page-model.js';
import { isBound } from '../model/placeholders.js';
import { semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, judgeEach } from '../rule.js';

/** The rule against an order of the Tab key that differs from the page. */
export const tabOrder: HtmlRule = {
  id: 'tab-order',
  name: 'Natural order of the Tab key',
  description: 'No element has a positive tabindex',
  severity: 'minor',
  category: 'incorrect',
  version: 1,
  wcag: '2.4.3',
  things: 'elements with a tabindex',
  suggestedFix: 'Use tabindex="0", and put the elements into the order of the page',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, ({ exposure }) => (element) => {
      const index = tabIndexOf(element);
      if (index === undefined || !isTabbable(element, exposure)) return undefined;
      return index > 0
        ? [`tabindex="${index}" puts the element before everything without a tabindex`]
        : [];
    }),
};

const native =
  /^(?:a|area|button|input|select|textarea|option|optgroup|summary|details|label|audio|video|iframe|embed|object|html|body|form|dialog|fieldset)$/;
const click = /^(?:onclick|@click|v-on:click|x-on:click|ng-click|\(click\)|on:click)(?:$|[.|])/;
const key = /^(?:on|@|v-on:|x-on:|ng-|\(|on:)key(?:down|up|press)/;
/** Handlers that do nothing that a person would miss. */
const passive =
  /^(?:return\s+(?:false|true)|(?:event|e|\$event)\.(?:stopPropagation|preventDefault|stopImmediatePropagation)\(\)|[\s;])*$/;
const controls = new Set(
  `button link checkbox radio switch tab option menuitem menuitemcheckbox menuitemradio treeitem gridcell
  textbox searchbox combobox slider spinbutton scrollbar separator row listbox columnheader rowheader`.split(
    /\s+/,
  ),
);

/** The rule for elements that only a mouse can use. */
export const clickableRole: HtmlRule = {
  id: 'clickable-role',
  name: 'Clickable elements are controls',
  description: 'What reacts to a click has a role, and works with the keyboard',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '2.1.1, 4.1.2',
  things: 'elements with a click handler',
  suggestedFix: 'Use a button, or a link for what opens a page',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => {
      const holders = holdersOfControls(model);
      return (element) => {
        const handler = element.attrs.find(({ name }) => click.test(name));
        if (
          handler === undefined ||
          passive.test(handler.value) ||
          !model.exposure.isExposed(element) ||
          (native.test(element.tagName) && isNative(element))
        )
          return undefined;
        // a list that reacts for its buttons, or a card with a link
        if (holders.has(element)) return { unchecked: 'controls inside it may do the same' };
        return answerTo(element, model);
      };
    }),
};

/** A link without an address is not a control. */
function isNative(element: Element): boolean {
  return (
    !/^(?:a|area)$/.test(element.tagName) ||
    attribute(element, 'href') !== undefined ||
    isBound(element, 'href')
  );
}

function answerTo(element: Element, model: PageModel): Answer {
  const role = semanticRole(element);
  const missing: string[] = [];
  if (!controls.has(role) && !isBound(element, 'role')) missing.push('has no role of a control');
  if (!isFocusable(element) && !isBound(element, 'tabindex')) {
    // in a group of controls, the focus may stay on the group
    if (/^(?:option|treeitem|row|gridcell|menuitem\w*|tab|radio)$/.test(role))
      return { unchecked: 'a group around it may have the focus' };
    missing.push('cannot be reached with the Tab key');
  }
  if (missing.length > 0) {
    if (isBackdrop(element, model))
      return { unchecked: 'it shows nothing, and may only close what is above it' };
    return [`${element.tagName} reacts to clicks, but ${missing.join(', and ')}`];
  }
  if (element.attrs.some(({ name }) => key.test(name))) return [];
  return model.hasScripts
    ? { unchecked: 'a script may handle its keys' }
    : [`${element.tagName} reacts to clicks, but not to the keys Enter and Space`];
}

/** Returns whether an element shows nothing by itself, such as the shade behind a dialog. */
function isBackdrop(element: Element, { names }: PageModel): boolean {
  return (
    element.tagName !== 'img' && names.nameOf(element) === '' && names.contentOf(element) === ''
  );
}

function holdersOfControls({ page, exposure }: PageModel): ReadonlySet<Element> {
  const holders = new Set<Element>();
  for (const element of page.elements) {
    if (!isTabbable(element, exposure)) continue;
    for (
      let above = parentOf(element);
      above !== undefined && !holders.has(above);
      above = parentOf(above)
    )
      holders.add(above);
  }
  return holders;
}
