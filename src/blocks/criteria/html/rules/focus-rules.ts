import { attribute, closest, type Element, keyword, parentOf, setOf } from '../dom.js';
import { childrenPresentational } from '../model/aria.js';
import { isFocusable, isTabbable, tabIndexOf } from '../model/exposure.js';
import { modelOf, type PageModel } from '../model/page-model.js';
import { explicitRole, isBound, keepsRole, semanticRole } from '../model/roles.js';
import { type Answer, type HtmlRule, htmlRule } from '../rule.js';

const isAriaHidden = (element: Element): boolean => keyword(element, 'aria-hidden') === 'true';

export const focusRules: readonly HtmlRule[] = [
  htmlRule({
    id: 'aria-hidden-focus',
    name: 'No focus in hidden content',
    description: 'The Tab key reaches nothing under aria-hidden="true"',
    wcag: '1.3.1, 4.1.2',
    act: ['6cfa84'],
    things: 'elements with aria-hidden',
    suggestedFix:
      'Take the elements out of the focus order (tabindex="-1", disabled, hidden), or remove aria-hidden',
    everywhere: true,
    judge: (model) => {
      const reached = model.page.elements.filter(
        (element) =>
          isTabbable(element, model.exposure) &&
          (isAriaHidden(element) || closest(element, isAriaHidden) !== undefined),
      );
      const open = new Set(reached.filter((element) => model.handlesFocus(element)));
      const wrong = new Set(reached.filter((element) => !open.has(element)));
      return (element) => {
        if (open.has(element)) return { unchecked: 'a script may move the focus on' };
        const judged = isAriaHidden(element) && (open.size === 0 || wrong.size > 0) ? 1 : 0;
        const description = `${element.tagName} is hidden from assistive technology, but the Tab key reaches it`;
        return { judged, problems: wrong.has(element) ? [description] : [] };
      };
    },
  }),
  htmlRule({
    id: 'presentational-children-focus',
    name: 'No focus inside controls',
    description: 'The Tab key reaches nothing inside buttons, images and similar elements',
    wcag: '4.1.2',
    act: ['307n5z'],
    things: 'elements whose content is presentational',
    suggestedFix: 'Move the inner control out of the outer one',
    everywhere: true,
    judge: ({ page, exposure }) => {
      const outer = new Set(
        page.elements.filter(
          (element) =>
            exposure.isExposed(element) && childrenPresentational.has(semanticRole(element)),
        ),
      );
      const isOuter = (element: Element): boolean => outer.has(element);
      return (element) => {
        const isInside =
          outer.size > 0 &&
          isTabbable(element, exposure) &&
          closest(element, isOuter) !== undefined;
        const description =
          `the Tab key reaches ${element.tagName}, but assistive technology reads the ` +
          'content around it as text';
        return { judged: isOuter(element) ? 1 : 0, problems: isInside ? [description] : [] };
      };
    },
  }),
  htmlRule({
    id: 'decorative-exposed',
    name: 'Decoration is not exposed',
    description: 'No element marked as decoration is focusable or has an attribute that exposes it',
    wcag: '4.1.2',
    act: ['46ca7f'],
    things: 'elements marked as decoration',
    suggestedFix:
      'Remove the role (or the empty alt), or the attribute that exposes it, such as tabindex or aria-label',
    judge: () => (element) => {
      const role = explicitRole(element);
      const hasEmptyAlt =
        role === undefined && element.tagName === 'img' && attribute(element, 'alt') === '';
      if (role !== 'none' && role !== 'presentation' && !hasEmptyAlt) return undefined;
      if (!keepsRole(element)) return [];
      const cause = isFocusable(element) ? 'can get the focus' : 'has a global ARIA attribute';
      return [`${element.tagName} is marked as decoration, but ${cause}, which exposes it`];
    },
  }),
  htmlRule({
    id: 'frame-focus',
    name: 'Reachable frames',
    description:
      'No frame with a negative tabindex contains something that the Tab key should reach',
    wcag: '2.1.1',
    act: ['akn7bn'],
    things: 'frames with a negative tabindex',
    suggestedFix: 'Remove the tabindex of the frame',
    everywhere: true,
    judge:
      ({ page, exposure }) =>
      (element) => {
        if (
          element.tagName !== 'iframe' ||
          (tabIndexOf(element) ?? 0) >= 0 ||
          !exposure.isShown(element) ||
          exposure.isInert(element) ||
          isTiny(element)
        )
          return undefined;
        const inner = page.framed.get(element);
        if (inner === undefined) return { unchecked: 'the content of the frame is unknown' };
        const model = modelOf(inner);
        return inner.elements.some((each) => isTabbable(each, model.exposure))
          ? ['the frame contains controls, but its tabindex keeps the Tab key out']
          : [];
      },
  }),
  htmlRule({
    id: 'tab-order',
    name: 'Natural order of the Tab key',
    description: 'No element has a positive tabindex',
    severity: 'minor',
    wcag: '2.4.3',
    things: 'elements with a tabindex',
    suggestedFix: 'Use tabindex="0", and put the elements into the order of the page',
    everywhere: true,
    judge:
      ({ exposure }) =>
      (element) => {
        const index = tabIndexOf(element);
        if (index === undefined || !isTabbable(element, exposure)) return undefined;
        return index > 0
          ? [`tabindex="${index}" puts the element before everything without a tabindex`]
          : [];
      },
  }),
  htmlRule({
    id: 'clickable-role',
    name: 'Clickable elements are controls',
    description: 'What reacts to a click has a role, and works with the keyboard',
    wcag: '2.1.1, 4.1.2',
    things: 'elements with a click handler',
    suggestedFix: 'Use a button, or a link for what opens a page',
    judge: (model) => {
      const holders = holdersOfControls(model);
      return (element) => {
        const handler = element.attrs.find(({ name }) => click.test(name));
        if (handler === undefined || passive.test(handler.value) || isNative(element))
          return undefined;
        // a list that reacts for its buttons, or a card with a link
        return holders.has(element)
          ? { unchecked: 'controls inside it may do the same' }
          : answerTo(element, model);
      };
    },
  }),
];

const native = setOf(`
  button input select textarea option optgroup summary details label audio video iframe embed object
  html body form dialog fieldset`);
const click = /^(?:onclick|@click|v-on:click|x-on:click|ng-click|\(click\)|on:click)(?:$|[.|])/;
const key = /^(?:on|@|v-on:|x-on:|ng-|\(|on:)key(?:down|up|press)/;
/** Handlers that do nothing that a person would miss. */
const passive =
  /^(?:return\s+(?:false|true)|(?:event|e|\$event)\.(?:stop(?:Immediate)?Propagation|preventDefault)\(\)|[\s;])*$/;
const control = setOf(`
  button link checkbox radio switch tab option menuitem menuitemcheckbox menuitemradio treeitem gridcell
  textbox searchbox combobox slider spinbutton scrollbar separator row listbox columnheader rowheader`);

function isTiny(element: Element): boolean {
  return ['width', 'height'].some((name) =>
    /^\s*[01](?:\D|$)/.test(attribute(element, name) ?? ''),
  );
}

/** A link without an address is not a control. */
function isNative(element: Element): boolean {
  if (!/^(?:a|area)$/.test(element.tagName)) return native.has(element.tagName);
  return attribute(element, 'href') !== undefined || isBound(element, 'href');
}

function answerTo(element: Element, model: PageModel): Answer {
  const role = semanticRole(element);
  const missing: string[] = [];
  if (!control.has(role) && !isBound(element, 'role')) missing.push('has no role of a control');
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

/** Such as the shade behind a dialog. */
function isBackdrop(element: Element, { names }: PageModel): boolean {
  return (
    element.tagName !== 'img' && names.nameOf(element) === '' && names.contentOf(element) === ''
  );
}

function holdersOfControls({ page, exposure }: PageModel): ReadonlySet<Element> {
  const holders = new Set<Element>();
  for (const element of page.elements) {
    if (!isTabbable(element, exposure)) continue;
    let above = parentOf(element);
    for (; above !== undefined && !holders.has(above); above = parentOf(above)) holders.add(above);
  }
  return holders;
}
