import { exactText, isPromise, looseText, wholeWordsAt } from '../../deciders/loose-text.js';
import { attribute, type ChildNode, type Element, type Page } from '../dom.js';
import type { Visibility } from './visibility.js';

/** A passage that a reader surely sees, with the offset of its beginning in the source. */
export interface ShownPassage {
  readonly text: string;
  readonly start: number;
}

const inline =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/;
const longestName = 2000;

/** Returns the passages below an element that a reader surely sees. Blocks end a passage. */
export function passagesIn(root: Element, visibility: Visibility): ShownPassage[] {
  const reader = new PassageReader();
  walk(root, (node, isEnd) => {
    const start = node.sourceCodeLocation?.startOffset ?? 0;
    if (!('tagName' in node)) {
      reader.add(textOf(node), start);
      return true;
    }
    if (!inline.test(node.tagName)) reader.finish();
    const isShown = visibility.isSure(node);
    if (!isEnd && isShown) reader.label(labelOf(node), start);
    return isShown && !/^(?:script|style|title|svg|math)$/.test(node.tagName);
  });
  reader.finish();
  return reader.passages;
}

function textOf(node: ChildNode): string {
  return node.nodeName === '#text' && 'value' in node ? node.value : '';
}

/** Collects the texts of a passage until a block ends it. */
class PassageReader {
  readonly passages: ShownPassage[] = [];
  #parts: string[] = [];
  #start = -1;

  add(text: string, offset: number): void {
    if (this.#start === -1 && text.trim() !== '')
      this.#start = offset + (text.length - text.trimStart().length);
    this.#parts.push(text);
  }

  label(text: string, offset: number): void {
    if (text !== '') this.passages.push({ text: exactText(text), start: offset });
  }

  finish(): void {
    const text = exactText(this.#parts.join(''));
    if (text !== '') this.passages.push({ text, start: this.#start });
    this.#parts = [];
    this.#start = -1;
  }
}

/** Walks over nodes without recursion. Elements are visited again at their end. */
function walk(root: Element, visit: (node: ChildNode, isEnd: boolean) => boolean): void {
  const waiting: { readonly node: ChildNode; readonly isEnd: boolean }[] = [
    { node: root, isEnd: false },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, isEnd } = next;
    const goesOn = visit(node, isEnd);
    if (isEnd || !('tagName' in node)) continue;
    waiting.push({ node, isEnd: true });
    if (!goesOn) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = node.childNodes[index];
      if (child !== undefined) waiting.push({ node: child, isEnd: false });
    }
  }
}

/** Returns the text that a button made of an `input` shows. */
function labelOf(element: Element): string {
  const isButton =
    element.tagName === 'input' &&
    /^(?:submit|button|reset)$/i.test(attribute(element, 'type')?.trim() ?? '');
  return isButton ? (attribute(element, 'value') ?? '') : '';
}

/** Returns the text that an element surely shows as a whole, at most 2,000 characters. */
export function shownText(element: Element, visibility: Visibility): string {
  const parts: string[] = [labelOf(element)];
  let length = 0;
  walk(element, (node) => {
    if (length > longestName) return false;
    if ('tagName' in node) return visibility.isSure(node) && node.tagName !== 'svg';
    if (node.nodeName !== '#text' || !('value' in node)) return true;
    parts.push(node.value);
    length += node.value.length;
    return true;
  });
  return exactText(parts.join(''));
}

/** Returns anything that an element may show or be called, in loose form. */
export function possibleText(element: Element): string {
  const texts: string[] = [];
  const names: string[] = [];
  let length = 0;
  walk(element, (node, isEnd) => {
    if (length > 20 * longestName || isEnd) return false;
    if ('tagName' in node)
      names.push(...node.attrs.map(({ value }) => looseText(value.slice(0, longestName))));
    else if ('value' in node) texts.push(node.value);
    length += 20 + ('value' in node ? node.value.length : 0);
    return true;
  });
  return [looseText(texts.join('')), ...names].join('\n');
}

/** Returns the passage that shows a text as whole words, unless it only promises it. */
export function passageWith(
  passages: readonly ShownPassage[],
  wanted: string,
): ShownPassage | undefined {
  return passages.find(({ text }) => wholeWordsAt(text, wanted) !== -1 && !isPromise(text));
}

/** Returns everything in a page that may be shown as text, in loose form. */
export function possiblePageText(page: Page, styles: string): string {
  const texts: string[] = [];
  const names: string[] = [];
  for (const { tagName, attrs, childNodes } of page.elements) {
    names.push(...attrs.map(({ value }) => value));
    if (tagName !== 'script')
      for (const node of childNodes)
        if (node.nodeName === '#text' && 'value' in node) texts.push(node.value);
  }
  return [texts.join(''), ...names, styles].map(looseText).join('\n');
}
