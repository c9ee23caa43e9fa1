import type { Found } from '../../artifact-criterion.js';
import { attribute, type Element, parentOf } from '../dom.js';
import { childrenPresentational } from '../model/aria-roles.js';
import { isFocusable, isTabbable, tabIndexOf } from '../model/focus.js';
import { modelOf, type PageModel } from '../model/page-model.js';
import { explicitRole, keepsRole, semanticRole } from '../model/roles.js';
import { foundAt, uncheckedAt } from '../place.js';
import { type HtmlRule, judgeEach } from '../rule.js';

const common = { severity: 'major', category: 'incorrect', version: 1, repairs: false } as const;

/** The rule against focus in hidden content. */
export const ariaHiddenFocus: HtmlRule = {
  ...common,
  id: 'aria-hidden-focus',
  name: 'No focus in hidden content',
  description: 'The Tab key reaches nothing under aria-hidden="true"',
  wcag: '1.3.1, 4.1.2',
  act: ['6cfa84'],
  things: 'elements with aria-hidden',
  suggestedFix:
    'Take the elements out of the focus order (tabindex="-1", disabled, hidden), or remove aria-hidden',
  judge: ({ pages }) => {
    let judged = 0;
    const findings: Found[] = [];
    const unchecked: string[] = [];
    for (const page of pages) {
      const model = modelOf(page);
      judged += page.elements.filter(isAriaHidden).length;
      for (const element of page.elements.filter(
        (each) => isTabbable(each, model.exposure) && isUnder(each, isAriaHidden),
      )) {
        if (model.handlesFocus(element))
          unchecked.push(uncheckedAt(page, element, 'a script may move the focus on'));
        else
          findings.push(
            foundAt(page, element, {
              description: `${element.tagName} is hidden from assistive technology, but the Tab key reaches it`,
            }),
          );
      }
    }
    const undecided = judged > 0 && findings.length === 0 && unchecked.length > 0;
    return { judged: undecided ? 0 : judged, findings, unchecked };
  },
};

/** The rule against focus inside controls. */
export const presentationalChildren: HtmlRule = {
  ...common,
  id: 'presentational-children-focus',
  name: 'No focus inside controls',
  description: 'The Tab key reaches nothing inside buttons, images and similar elements',
  wcag: '4.1.2',
  act: ['307n5z'],
  things: 'elements whose content is presentational',
  suggestedFix: 'Move the inner control out of the outer one',
  judge: ({ pages }) => {
    let judged = 0;
    const findings = pages.flatMap((page) => {
      const { exposure } = modelOf(page);
      const outer = new Set(
        page.elements.filter(
          (element) =>
            exposure.isExposed(element) && childrenPresentational.has(semanticRole(element)),
        ),
      );
      judged += outer.size;
      if (outer.size === 0) return [];
      return page.elements
        .filter(
          (element) =>
            isTabbable(element, exposure) &&
            isUnder(element, (above) => above !== element && outer.has(above)),
        )
        .map((element) =>
          foundAt(page, element, {
            description:
              `the Tab key reaches ${element.tagName}, but assistive technology reads the ` +
              'content around it as text',
          }),
        );
    });
    return { judged, findings };
  },
};

/** The rule against exposed decoration. */
export const decorativeExposed: HtmlRule = {
  ...common,
  id: 'decorative-exposed',
  name: 'Decoration is not exposed',
  description: 'No element marked as decoration is focusable or has an attribute that exposes it',
  wcag: '4.1.2',
  act: ['46ca7f'],
  things: 'elements marked as decoration',
  suggestedFix:
    'Remove the role (or the empty alt), or the attribute that exposes it, such as tabindex or aria-label',
  judge: ({ pages }) => {
    let judged = 0;
    const findings = pages.flatMap((page) => {
      const { exposure } = modelOf(page);
      const marked = page.elements.filter(
        (element) => exposure.isExposed(element) && isDecorative(element),
      );
      judged += marked.length;
      return marked.filter(keepsRole).map((element) => {
        const cause = isFocusable(element) ? 'can get the focus' : 'has a global ARIA attribute';
        return foundAt(page, element, {
          description: `${element.tagName} is marked as decoration, but ${cause}, which exposes it`,
        });
      });
    });
    return { judged, findings };
  },
};

/** The rule for frames with controls. */
export const frameFocus: HtmlRule = {
  ...common,
  id: 'frame-focus',
  name: 'Reachable frames',
  description: 'No frame with a negative tabindex contains something that the Tab key should reach',
  wcag: '2.1.1',
  act: ['akn7bn'],
  things: 'frames with a negative tabindex',
  suggestedFix: 'Remove the tabindex of the frame',
  judge: ({ pages }) =>
    judgeEach(pages, ({ page, exposure }) => (element) => {
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
      return holdsTabbable(modelOf(inner))
        ? ['the frame contains controls, but its tabindex keeps the Tab key out']
        : [];
    }),
};

/** Returns whether a frame is too small to show anything. */
function isTiny(element: Element): boolean {
  return ['width', 'height'].some((name) =>
    /^\s*[01](?:\D|$)/.test(attribute(element, name) ?? ''),
  );
}

function holdsTabbable({ page, exposure }: PageModel): boolean {
  return page.elements.some((element) => isTabbable(element, exposure));
}

function isAriaHidden(element: Element): boolean {
  return attribute(element, 'aria-hidden')?.trim().toLowerCase() === 'true';
}

function isDecorative(element: Element): boolean {
  const role = explicitRole(element);
  return (
    role === 'none' ||
    role === 'presentation' ||
    (role === undefined && element.tagName === 'img' && attribute(element, 'alt') === '')
  );
}

/** Returns whether `test` is true for an element or an ancestor. */
function isUnder(element: Element, test: (element: Element) => boolean): boolean {
  for (let at: Element | undefined = element; at !== undefined; at = parentOf(at))
    if (test(at)) return true;
  return false;
}
