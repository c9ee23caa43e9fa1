import { attribute, type Element, type Page, parentOf } from '../dom.js';

const labelable = new Set(['input', 'select', 'textarea', 'button', 'meter', 'output', 'progress']);

/** Finds the labels of fields. */
export class Labels {
  readonly #page: Page;
  readonly #byTarget = new Map<string, Element[]>();
  readonly #fields = new Map<Element, Element | undefined>();

  constructor(page: Page) {
    this.#page = page;
    for (const element of page.elements) {
      const target = element.tagName === 'label' ? attribute(element, 'for') : undefined;
      if (target === undefined) continue;
      const same = this.#byTarget.get(target);
      if (same === undefined) this.#byTarget.set(target, [element]);
      else same.push(element);
    }
  }

  /** Returns the labels of a field: labels for its id, and the label around it. */
  of(element: Element): readonly Element[] {
    if (!labelable.has(element.tagName)) return [];
    const id = attribute(element, 'id') ?? '';
    // a label belongs only to the first element with its id
    const labels =
      id !== '' && this.#page.byId.get(id)?.[0] === element
        ? [...(this.#byTarget.get(id) ?? [])]
        : [];
    let above = parentOf(element);
    while (above !== undefined && above.tagName !== 'label') above = parentOf(above);
    if (
      above !== undefined &&
      attribute(above, 'for') === undefined &&
      this.#firstField(above) === element
    )
      labels.push(above);
    return labels;
  }

  #firstField(label: Element): Element | undefined {
    if (!this.#fields.has(label)) this.#fields.set(label, firstFieldIn(label));
    return this.#fields.get(label);
  }
}

function firstFieldIn(label: Element): Element | undefined {
  const waiting = [...label.childNodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!('tagName' in node)) continue;
    if (labelable.has(node.tagName) && attribute(node, 'type')?.toLowerCase() !== 'hidden')
      return node;
    waiting.push(...[...node.childNodes].reverse());
  }
  return undefined;
}
