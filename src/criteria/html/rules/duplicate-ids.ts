import type { Element } from '../dom.js';
import { isPlaceholder } from '../model/placeholders.js';
import { foundAt, setAttribute } from '../place.js';
import type { HtmlRule, HtmlSubject } from '../rule.js';

export const duplicateIds: HtmlRule = {
  id: 'duplicate-ids',
  name: 'Unique ids',
  description: 'Every id of a page is unique',
  severity: 'major',
  category: 'incorrect',
  version: 2,
  wcag: '4.1.2',
  act: ['3ea0c8'],
  things: 'ids',
  suggestedFix: 'Give every element a unique id, and correct the references',
  repairs: true,
  judge: (subject) => {
    const repeated = subject.pages.flatMap((page) =>
      [...page.byId]
        .filter(([id, elements]) => elements.length > 1 && !isPlaceholder(id))
        .map(([id, elements]) => ({ page, id, elements })),
    );
    const references = repeated.length === 0 ? undefined : referencesIn(subject);
    const findings = repeated.flatMap(({ page, id, elements }) => {
      const first = page.lineAt(elements[0]?.sourceCodeLocation?.startOffset ?? 0);
      const free = references?.mentions(id) !== true;
      let number = 2;
      return elements.slice(1).map((element) => {
        while (page.byId.has(`${id}-${number}`)) number += 1;
        const edit = free ? setAttribute(element, 'id', `${id}-${number}`) : undefined;
        number += 1;
        return foundAt(page, element, {
          description: `the id "${id.slice(0, 80)}" is already used in line ${first}`,
          edits: edit && [edit],
        });
      });
    });
    return { judged: subject.pages.reduce((sum, page) => sum + page.byId.size, 0), findings };
  },
};

const lists = new Set([
  'for',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'aria-activedescendant',
  'aria-details',
  'aria-errormessage',
  'aria-flowto',
  'headers',
  'list',
  'form',
  'itemref',
  'popovertarget',
  'commandfor',
  'anchor',
]);

/**
 * The text of everything that may refer to an element by its id. Apparent references count, too.
 */
class References {
  readonly #named = new Set<string>();

  constructor({ everyPage, others }: HtmlSubject) {
    for (const { content = '' } of others) this.#code(content);
    for (const page of everyPage) for (const element of page.elements) this.#read(element);
  }

  /**
   * Returns whether the text mentions an id. An id that is not a plain word counts as mentioned.
   */
  mentions(id: string): boolean {
    return this.#named.has(id) || !/^[\w-]+$/.test(id);
  }

  #read(element: Element): void {
    const isCode = element.tagName === 'script' || element.tagName === 'style';
    if (isCode)
      this.#code(element.childNodes.map((node) => ('value' in node ? node.value : '')).join(''));
    for (const { name, value } of element.attrs) {
      if (lists.has(name) || value.includes('#') || /^(?:on|data-|style$)/.test(name))
        this.#code(value);
    }
  }

  #code(text: string): void {
    for (const [word] of text.matchAll(/[\w-]+/g)) this.#named.add(word);
  }
}

const known = new WeakMap<HtmlSubject['everyPage'], References>();

/** Returns the references of an output. They are read once for all its pages. */
function referencesIn(subject: HtmlSubject): References {
  const found = known.get(subject.everyPage) ?? new References(subject);
  known.set(subject.everyPage, found);
  return found;
}
