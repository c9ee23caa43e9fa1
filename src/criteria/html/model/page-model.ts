import { onceFor } from '../../parsed-once.js';
import { attribute, type Element, type Page, rawText } from '../dom.js';
import { Exposure } from './exposure.js';
import { Names } from './names.js';

/** Facts about a page for rules: exposure, names, and text of scripts. */
export class PageModel {
  readonly page: Page;
  readonly exposure: Exposure;
  readonly names: Names;
  /** The text of the page's inline scripts. */
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

  /** Returns whether a script of the page handles the focus of an element. */
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

/** Returns the model of a page. It is built once. */
export const modelOf = onceFor((page: Page) => new PageModel(page));
