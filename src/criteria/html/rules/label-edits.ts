import type { Edit } from '../../artifact-criterion.js';
import { attribute, type ChildNode, type Element, type Page } from '../dom.js';
import { addAttribute } from '../place.js';

/**
 * Returns the edits that connect a field to the unattached `<label>` right before it. Labels of
 * checkboxes and radio buttons often follow them.
 */
export function labelEdits(
  page: Page,
  field: Element,
  label: Element,
): readonly Edit[] | undefined {
  if (
    !/^(?:input|select|textarea)$/.test(field.tagName) ||
    /^(?:checkbox|radio)$/i.test(attribute(field, 'type') ?? '')
  )
    return undefined;
  const id = attribute(field, 'id');
  if (id !== undefined && (id === '' || /\s/.test(id) || page.byId.get(id)?.length !== 1))
    return undefined;
  const target = id ?? freeId(page, field);
  const edits = [
    addAttribute(label, 'for', target),
    ...(id === undefined ? [addAttribute(field, 'id', target)] : []),
  ];
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

/** Returns the unattached labels right before elements. */
export function labelsBefore(page: Page): ReadonlyMap<Element, Element> {
  const labels = new Map<Element, Element>();
  for (const parent of new Set(page.elements.map((element) => element.parentNode))) {
    let before: ChildNode | undefined;
    for (const node of parent?.childNodes.filter((child) => !separates(child)) ?? []) {
      if ('tagName' in node && before !== undefined && 'tagName' in before && isFreeLabel(before))
        labels.set(node, before);
      before = node;
    }
  }
  return labels;
}

/** Returns whether only white space, comments and line breaks are between a label and its field. */
function separates(node: ChildNode): boolean {
  return (
    node.nodeName === '#comment' ||
    node.nodeName === 'br' ||
    (node.nodeName === '#text' && 'value' in node && node.value.trim() === '')
  );
}

function isFreeLabel(element: Element): boolean {
  const onlyText = element.childNodes.every(
    (node) =>
      node.nodeName === '#text' || /^(?:b|i|em|strong|span|small|sup|abbr)$/.test(node.nodeName),
  );
  return (
    element.tagName === 'label' &&
    attribute(element, 'for') === undefined &&
    onlyText &&
    element.childNodes.length > 0 &&
    element.sourceCodeLocation?.endTag !== undefined
  );
}

function freeId(page: Page, field: Element): string {
  const base =
    (attribute(field, 'name') ?? '')
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 40) || 'field';
  let id = base;
  for (let count = 2; page.byId.has(id); count += 1) id = `${base}-${count}`;
  return id;
}
