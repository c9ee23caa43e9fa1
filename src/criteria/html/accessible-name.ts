import { attribute, type Element, type Page } from './page.js';
import { hidesItself, parentOf } from './visibility.js';

const labelable = new Set(['input', 'select', 'textarea', 'button', 'meter', 'output', 'progress']);
const deepest = 200;
const longest = 500;
const mostReferences = 20;

/** Works out the accessible names of one page's elements. */
export class NameFinder {
  readonly #page: Page;
  readonly #labels = new Map<string, Element[]>();
  readonly #fields = new Map<Element, Element | undefined>();
  readonly #byReference = new Map<string, string>();

  constructor(page: Page) {
    this.#page = page;
    for (const element of page.elements) {
      const target = element.tagName === 'label' ? attribute(element, 'for') : undefined;
      if (target === undefined) continue;
      const same = this.#labels.get(target);
      if (same === undefined) this.#labels.set(target, [element]);
      else same.push(element);
    }
  }

  /** The name that assistive technology would say; '' where there is none. Placeholders do not count. */
  nameOf(element: Element): string {
    return firstText(this.#referencedBy(element), attribute(element, 'aria-label'), this.#native(element), attribute(element, 'title'));
  }

  #native(element: Element): string {
    switch (element.tagName) {
      case 'input':
        return this.#inputName(element);
      case 'select':
      case 'textarea':
        return this.#labelText(element);
      case 'img':
      case 'area':
        return attribute(element, 'alt') ?? '';
      case 'iframe':
        return '';
      case 'svg':
        return this.#titleOf(element);
      case 'button':
        return firstText(this.#labelText(element), this.#text(element, element, 0));
      default:
        return namedByContent(element) ? this.#text(element, element, 0) : '';
    }
  }

  #inputName(element: Element): string {
    const type = attribute(element, 'type')?.trim().toLowerCase() ?? 'text';
    if (type === 'image') return attribute(element, 'alt') ?? '';
    const label = this.#labelText(element);
    if (type === 'button') return firstText(label, attribute(element, 'value'));
    return type === 'submit' || type === 'reset' ? firstText(label, attribute(element, 'value') ?? type) : label;
  }

  #labelText(element: Element): string {
    const id = attribute(element, 'id') ?? '';
    // A label belongs to the first element with its id only.
    const labels = id !== '' && this.#page.byId.get(id)?.[0] === element ? [...(this.#labels.get(id) ?? [])] : [];
    let above = parentOf(element);
    while (above !== undefined && above.tagName !== 'label') above = parentOf(above);
    if (above !== undefined && attribute(above, 'for') === undefined && this.#firstField(above) === element) labels.push(above);
    return labels.map((label) => this.#text(label, element, 0)).join(' ');
  }

  #firstField(label: Element): Element | undefined {
    if (!this.#fields.has(label)) this.#fields.set(label, firstFieldIn(label));
    return this.#fields.get(label);
  }

  #referenced(id: string): string {
    const known = this.#byReference.get(id);
    if (known !== undefined) return known;
    // Set first, so that elements that name each other end.
    this.#byReference.set(id, '');
    const [target] = id === '' ? [] : (this.#page.byId.get(id) ?? []);
    if (target === undefined) return '';
    const name = firstText(attribute(target, 'aria-label'), attribute(target, 'alt'), this.#text(target, target, 0), attribute(target, 'title')).slice(0, longest);
    this.#byReference.set(id, name);
    return name;
  }

  /** The text below an element, with the alternatives of images; `of` is what is being named and does not name itself. */
  #text(element: Element, of: Element, depth: number): string {
    if (depth > deepest) return '';
    const parts: string[] = [];
    for (const node of element.childNodes) {
      if (node.nodeName === '#text' && 'value' in node) parts.push(node.value);
      if (!('tagName' in node) || node === of || hidesItself(node)) continue;
      parts.push(firstText(this.#referencedBy(node), attribute(node, 'aria-label'), this.#own(node, of, depth), attribute(node, 'title')));
    }
    return parts.join(' ').trim();
  }

  #referencedBy(node: Element): string {
    return this.#references(attribute(node, 'aria-labelledby') ?? '');
  }

  #references(ids: string): string {
    return ids === ''
      ? ''
      : ids
          .split(/\s+/, mostReferences)
          .map((id) => this.#referenced(id))
          .join(' ');
  }

  #own(node: Element, of: Element, depth: number): string {
    if (node.tagName === 'img' || node.tagName === 'area') return attribute(node, 'alt') ?? '';
    if (node.tagName === 'svg') return this.#titleOf(node);
    if (node.tagName === 'input') return /^(?:button|submit|reset|text)$/i.test(attribute(node, 'type') ?? 'text') ? (attribute(node, 'value') ?? '') : '';
    return node.tagName === 'select' || node.tagName === 'textarea' ? '' : this.#text(node, of, depth + 1);
  }

  #titleOf(svg: Element): string {
    const title = svg.childNodes.find((node): node is Element => 'tagName' in node && node.tagName === 'title');
    return title === undefined ? '' : this.#text(title, title, 0);
  }
}

function namedByContent(element: Element): boolean {
  const role = attribute(element, 'role')?.trim().toLowerCase() ?? '';
  if (/^(?:button|link|checkbox|radio|switch|option|tab|menuitem|menuitemcheckbox|menuitemradio|treeitem)$/.test(role)) return true;
  return role === '' && (element.tagName === 'a' || element.tagName === 'summary');
}

function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '')?.trim() ?? '';
}

function firstFieldIn(label: Element): Element | undefined {
  const waiting = [...label.childNodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!('tagName' in node)) continue;
    if (labelable.has(node.tagName) && attribute(node, 'type')?.toLowerCase() !== 'hidden') return node;
    waiting.push(...[...node.childNodes].reverse());
  }
  return undefined;
}
