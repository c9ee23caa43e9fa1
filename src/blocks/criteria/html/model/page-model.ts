import { onceFor } from '../../parsed-once.js';
import {
  ancestorsOf,
  attribute,
  childrenOf,
  closest,
  descendantsOf,
  type Element,
  groupBy,
  keyword,
  type Page,
  rawText,
} from '../dom.js';
import { Exposure } from './exposure.js';
import { isPlaceholder, semanticRole, takesContent } from './roles.js';

export class PageModel {
  readonly page: Page;
  readonly exposure: Exposure;
  readonly names: Names;
  readonly scripts: string;
  readonly hasScripts: boolean;

  constructor(page: Page) {
    this.page = page;
    this.exposure = new Exposure(page);
    this.names = new Names(page, this.exposure);
    const scripts = page.elements.filter(isScript);
    this.hasScripts = scripts.length > 0;
    this.scripts = scripts.map(rawText).join('\n');
  }

  handlesFocus(element: Element): boolean {
    if (element.attrs.some(({ name }) => /^(?:on|@|v-on:|\()focus(?:in)?\)?$/.test(name)))
      return true;
    const id = attribute(element, 'id') ?? '';
    return (
      id !== '' &&
      /['"`]focus(?:in)?['"`]|\.onfocus/.test(this.scripts) &&
      this.scripts.includes(id)
    );
  }
}

function isScript(element: Element): boolean {
  return (
    element.tagName === 'script' &&
    /^(?:|module|text\/javascript|application\/javascript|text\/babel)$/i.test(
      attribute(element, 'type')?.trim() ?? '',
    )
  );
}

/** Built once for each page. */
export const modelOf = onceFor((page: Page) => new PageModel(page));

const longest = 500;

const mostReferences = 20;

const naming = new Map([
  ['svg', 'title'],
  ['fieldset', 'legend'],
  ['table', 'caption'],
  ['figure', 'figcaption'],
]);

const labelable = new Set(['input', 'select', 'textarea', 'button', 'meter', 'output', 'progress']);

class Labels {
  readonly #page: Page;
  readonly #byTarget: ReadonlyMap<string, readonly Element[]>;
  readonly #fields = new Map<Element, Element | undefined>();

  constructor(page: Page) {
    this.#page = page;
    const labels = page.elements.filter(({ tagName }) => tagName === 'label');
    this.#byTarget = groupBy(labels, (label) => attribute(label, 'for'));
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
    const above = closest(element, ({ tagName }) => tagName === 'label');
    if (
      above !== undefined &&
      attribute(above, 'for') === undefined &&
      this.#firstField(above) === element
    )
      labels.push(above);
    return labels;
  }

  #firstField(label: Element): Element | undefined {
    if (this.#fields.has(label)) return this.#fields.get(label);
    let first: Element | undefined;
    for (const element of descendantsOf(label))
      if (labelable.has(element.tagName) && keyword(element, 'type') !== 'hidden') {
        first = element;
        break;
      }
    this.#fields.set(label, first);
    return first;
  }
}

interface Walk {
  readonly of: Element;
  readonly around?: ReadonlySet<Element>;
  /** Whether hidden content counts, because a reference to a hidden element led here. */
  readonly hidden: boolean;
  readonly first: boolean;
}

class Names {
  readonly labels: Labels;
  readonly #page: Page;
  readonly #exposure: Exposure;
  readonly #silent = new Set<Element>();
  readonly #byReference = new Map<Element, string>();
  readonly #names = new Map<Element, string>();
  /** What elements say in the names of others, if only what is shown counts, and else. */
  readonly #shownTexts = new Map<Element, string>();
  readonly #allTexts = new Map<Element, string>();
  /** How many references are being followed. Meanwhile one that leads back says nothing. */
  #following = 0;

  constructor(page: Page, exposure: Exposure) {
    this.#page = page;
    this.#exposure = exposure;
    this.labels = new Labels(page);
    // from the last to the first: children are known before their parents
    for (const element of [...page.elements].reverse())
      if (this.#saysNothing(element)) this.#silent.add(element);
  }

  /** Returns the name that assistive technology would say, or '' without a name. */
  nameOf(element: Element): string {
    const known = this.#names.get(element);
    if (known !== undefined) return known;
    const name = this.nameBefore(element) || this.#placeholderOf(element);
    this.#names.set(element, name);
    return name;
  }

  nameBefore(element: Element): string {
    return firstText(
      this.#referencedBy(element),
      attribute(element, 'aria-label'),
      this.#native(element),
      attribute(element, 'title'),
    );
  }

  /** As assistive technology reads it, up to 500 characters. */
  contentOf(element: Element): string {
    return this.#text(element, { of: element, hidden: false, first: true });
  }

  #placeholderOf(element: Element): string {
    return element.tagName === 'input' || element.tagName === 'textarea'
      ? firstText(attribute(element, 'placeholder'), attribute(element, 'aria-placeholder'))
      : '';
  }

  #native(element: Element): string {
    const part = naming.get(element.tagName);
    if (part !== undefined) return this.#childText(element, part);
    switch (element.tagName) {
      case 'input':
        return this.#inputName(element);
      case 'select':
      case 'textarea':
      case 'meter':
      case 'progress':
      case 'output':
        return this.#labelText(element);
      case 'img':
      case 'area':
        return attribute(element, 'alt') ?? '';
      case 'iframe':
      case 'object':
        return '';
      case 'button':
        return firstText(this.#labelText(element), this.contentOf(element));
      default:
        return firstText(
          element.namespaceURI === 'http://www.w3.org/2000/svg'
            ? this.#childText(element, 'title')
            : '',
          takesContent(element) ? this.contentOf(element) : '',
        );
    }
  }

  #inputName(element: Element): string {
    const type = keyword(element, 'type');
    const label = this.#labelText(element);
    if (type === 'image') return firstText(label, attribute(element, 'alt'));
    if (type === 'button') return firstText(label, attribute(element, 'value'));
    return type === 'submit' || type === 'reset'
      ? firstText(label, attribute(element, 'value') ?? type)
      : label;
  }

  #labelText(element: Element): string {
    return this.labels
      .of(element)
      .map((label) =>
        this.#text(label, {
          of: element,
          around: elementsAround(element, label),
          hidden: !this.#exposure.isExposed(label),
          first: true,
        }),
      )
      .join(' ')
      .trim();
  }

  #childText(element: Element, tagName: string): string {
    const child = childrenOf(element).find((node) => node.tagName === tagName);
    return child === undefined ? '' : this.#text(child, { of: child, hidden: true, first: true });
  }

  #referencedBy(element: Element): string {
    const ids = attribute(element, 'aria-labelledby') ?? '';
    if (ids === '') return '';
    if (isPlaceholder(ids)) return ids;
    const names = ids.split(/\s+/, mostReferences).map((id) => this.#referenced(id));
    return names.join(' ').trim();
  }

  #referenced(id: string): string {
    const [target] = id === '' ? [] : (this.#page.byId.get(id) ?? []);
    if (target === undefined) return '';
    const known = this.#byReference.get(target);
    if (known !== undefined) return known;
    // set first, so that the computation ends for elements that name each other
    this.#byReference.set(target, '');
    const walk = { of: target, hidden: !this.#exposure.isExposed(target), first: true };
    this.#following += 1;
    const name = firstText(
      attribute(target, 'aria-label'),
      this.#own(target, walk),
      attribute(target, 'title'),
    ).slice(0, longest);
    this.#following -= 1;
    this.#byReference.set(target, name);
    return name;
  }

  #text(element: Element, walk: Walk): string {
    if (this.#silent.has(element)) return '';
    const texts = walk.hidden ? this.#allTexts : this.#shownTexts;
    const lasts =
      !walk.first && walk.around?.has(element) !== true && (!walk.hidden || this.#following === 0);
    const known = lasts ? texts.get(element) : undefined;
    if (known !== undefined) return known;
    const text = this.#textOf(element, walk);
    if (lasts) texts.set(element, text);
    return text;
  }

  #textOf(element: Element, walk: Walk): string {
    const parts: string[] = [];
    let length = 0;
    for (const node of element.childNodes) {
      const part = 'tagName' in node ? this.#part(node, walk) : textIn(node);
      parts.push(part);
      length += part.trim() === '' ? 0 : part.length;
      if (length > longest) break;
    }
    if (length === 0 && this.#page.styles.get(element)?.generated === true) return '…';
    return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
  }

  #part(node: Element, walk: Walk): string {
    if (
      node === walk.of ||
      this.#silent.has(node) ||
      (!walk.hidden && !this.#exposure.isExposed(node))
    )
      return '';
    if (node.tagName === 'script' || node.tagName === 'style') return '';
    return firstText(
      walk.first || walk.hidden ? this.#referencedBy(node) : '',
      attribute(node, 'aria-label'),
      this.#own(node, { ...walk, first: false }),
      attribute(node, 'title'),
    );
  }

  /** Its alternative, value or text. */
  #own(node: Element, walk: Walk): string {
    switch (node.tagName) {
      case 'img':
      case 'area':
        return semanticRole(node) === 'none' ? '' : (attribute(node, 'alt') ?? '');
      case 'svg':
        return firstText(this.#childText(node, 'title'), this.#text(node, walk));
      case 'input': {
        const type = keyword(node, 'type');
        if (type === 'image') return attribute(node, 'alt') ?? '';
        return /^(?:checkbox|radio|hidden|password|file|color)$/.test(type)
          ? ''
          : (attribute(node, 'value') ?? '');
      }
      case 'select':
        return this.#selected(node, walk);
      case 'slot':
        return firstText(this.#text(node, walk), '…');
      default:
        return this.#text(node, walk);
    }
  }

  #selected(select: Element, walk: Walk): string {
    const options = childrenOf(select).filter(({ tagName }) => tagName === 'option');
    const chosen =
      options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
    return chosen === undefined ? '' : this.#text(chosen, walk);
  }

  /** This avoids walks through content. */
  #saysNothing(element: Element): boolean {
    if (element.tagName === 'slot' || this.#page.styles.get(element)?.generated === true)
      return false;
    if (
      element.attrs.some(
        ({ name, value }) =>
          /^(?:aria-label|aria-labelledby|alt|title|value)$/.test(name) && value.trim() !== '',
      )
    )
      return false;
    return element.childNodes.every((node) =>
      'tagName' in node ? this.#silent.has(node) : textIn(node).trim() === '',
    );
  }
}

/** None if the label is elsewhere. */
function elementsAround(field: Element, label: Element): ReadonlySet<Element> {
  const found = new Set<Element>();
  for (const above of ancestorsOf(field)) {
    if (above === label) return found;
    found.add(above);
  }
  return new Set();
}

function textIn(node: Element['childNodes'][number]): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  // an HTML parser reads `<?php ... ?>` as a comment
  return node.nodeName === '#comment' && 'data' in node && node.data.startsWith('?') ? '…' : '';
}

function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '')?.trim() ?? '';
}
