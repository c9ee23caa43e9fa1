import { attribute, type Element, parentOf } from '../dom.js';
import type { Exposure } from './exposure.js';

const formControls = /^(?:button|input|select|textarea)$/;

/** Returns whether a script or a person can focus an element. */
export function isFocusable(element: Element): boolean {
  if (isDisabled(element)) return false;
  return tabIndexOf(element) !== undefined || isFocusableByItself(element);
}

/** Returns whether the Tab key reaches an element. */
export function isTabbable(element: Element, exposure: Exposure): boolean {
  if (!isFocusable(element) || !exposure.isShown(element) || exposure.isInert(element))
    return false;
  return (tabIndexOf(element) ?? 0) >= 0;
}

/** Returns the `tabindex` of an element. */
export function tabIndexOf(element: Element): number | undefined {
  const value = attribute(element, 'tabindex')?.trim();
  return value !== undefined && /^[+-]?\d+/.test(value) ? Number.parseInt(value, 10) : undefined;
}

/** Returns whether a form control or its fieldset is disabled. */
export function isDisabled(element: Element): boolean {
  if (!formControls.test(element.tagName)) return false;
  if (attribute(element, 'disabled') !== undefined) return true;
  let below = element;
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) {
    const isFirstLegend =
      below.tagName === 'legend' &&
      above.childNodes.find((node) => 'tagName' in node && node.tagName === 'legend') === below;
    if (
      above.tagName === 'fieldset' &&
      attribute(above, 'disabled') !== undefined &&
      !isFirstLegend
    )
      return true;
    below = above;
  }
  return false;
}

function isFocusableByItself(element: Element): boolean {
  switch (element.tagName) {
    case 'a':
    case 'area':
      return (
        attribute(element, 'href') !== undefined || attribute(element, 'xlink:href') !== undefined
      );
    case 'button':
    case 'select':
    case 'textarea':
    case 'iframe':
      return true;
    case 'input':
      return attribute(element, 'type')?.trim().toLowerCase() !== 'hidden';
    case 'summary':
      return isControllingSummary(element);
    case 'audio':
    case 'video':
      return attribute(element, 'controls') !== undefined;
    default: {
      const editable = attribute(element, 'contenteditable')?.trim().toLowerCase();
      return editable !== undefined && editable !== 'false';
    }
  }
}

/** Returns whether an element is the summary that opens its `<details>`. */
export function isControllingSummary(element: Element): boolean {
  const details = element.tagName === 'summary' ? parentOf(element) : undefined;
  return (
    details?.tagName === 'details' &&
    details.childNodes.find((node) => 'tagName' in node && node.tagName === 'summary') === element
  );
}
