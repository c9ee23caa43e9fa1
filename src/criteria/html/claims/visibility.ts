import type { Artifact } from '../../../core/artifact.js';
import { attribute, type Element, type Page, parentOf, rawText } from '../dom.js';
import { modelOf } from '../model/page-model.js';
import { linkedArtifact } from './linked-artifact.js';

const hidingStyle =
  /display\s*:\s*(?:none|var)|visibility\s*:\s*(?:hidden|collapse|var)|opacity\s*:\s*(?:0?\.?0+(?![.\d])|0%|var)|content-visibility|clip(?:-path)?\s*:|text-indent\s*:\s*-|font-size\s*:\s*0(?![.\d])|(?:left|right|top|bottom|margin[\w-]{0,40}|inset)\s*:\s*-\s*\d{3,}|(?:^|[;\s{])(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|!|$)|scale[xy]?\s*\(\s*0|scale\s*:\s*0|translate[xy3d]{0,4}\s*\(\s*-\s*\d{3,}|color\s*:\s*transparent/i;
const hidingClass =
  /(?:^|[\s_-])(?:hidden|hide|sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|invisible|off-?screen|d-none|collapsed?|tooltip|modal|popup)(?:$|[\s_-])/i;
/** Elements whose content shows only in some states, or instead of something else. */
const conditional =
  /^(?:dialog|option|optgroup|audio|video|canvas|object|iframe|noscript|noframes|template|datalist|map|rp|frameset|del|s|strike)$/;
const longestStyle = 2_000_000;
const longestRule = 20_000;

/** Decides which elements of a page a reader surely sees. */
export class Visibility {
  readonly #unsure = new Set<Element>();

  constructor(page: Page, artifacts: readonly Artifact[]) {
    const hides = hiddenBy(styleTextOf(page, artifacts));
    const { exposure } = modelOf(page);
    for (const element of page.elements) {
      const parent = parentOf(element);
      const isUnsure =
        (parent !== undefined && this.#unsure.has(parent)) ||
        !exposure.isShown(element) ||
        mayBeHidden(element) ||
        hides(element);
      if (isUnsure) this.#unsure.add(element);
    }
  }

  /** Returns whether a reader surely sees the element. */
  isSure(element: Element): boolean {
    return !this.#unsure.has(element);
  }
}

/** Returns the styles of a page, with those of its linked artifacts. */
export function styleTextOf(page: Page, artifacts: readonly Artifact[]): string {
  return page.elements
    .map((element) => {
      if (element.tagName === 'style') return rawText(element);
      const isSheet =
        element.tagName === 'link' && /stylesheet/i.test(attribute(element, 'rel') ?? '');
      return isSheet
        ? (linkedArtifact(attribute(element, 'href') ?? '', page.file, artifacts)?.content ?? '')
        : '';
    })
    .join('\n');
}

function mayBeHidden(element: Element): boolean {
  const style = attribute(element, 'style');
  if (style !== undefined && hidingStyle.test(style.slice(0, 20_000))) return true;
  if (hidingClass.test((attribute(element, 'class') ?? '').slice(0, 5000))) return true;
  if (attribute(element, 'popover') !== undefined || conditional.test(element.tagName)) return true;
  return element.tagName === 'details' && attribute(element, 'open') === undefined;
}

/** Returns whether a rule of some styles may hide an element. It reads selectors roughly. */
function hiddenBy(css: string): (element: Element) => boolean {
  if (css.length > longestStyle) return () => true;
  const keys = new Set(hidingSelectors(css).flatMap((selector) => keysOf(selector)));
  if (keys.size === 0) return () => false;
  return (element) =>
    keys.has('*') ||
    keys.has(element.tagName) ||
    keys.has(`#${attribute(element, 'id') ?? ''}`) ||
    (attribute(element, 'class') ?? '')
      .split(/\s+/, 100)
      .some((name) => name !== '' && keys.has(`.${name}`)) ||
    element.attrs.some(({ name }) => keys.has(`[${name}`));
}

/** Returns the selectors of the rules that may hide something on a screen, in linear time. */
function hidingSelectors(css: string): string[] {
  const text = css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '');
  const preludes: string[] = [];
  const selectors: string[] = [];
  let at = 0;
  let isInner = false;
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    const part = text.slice(at, index);
    at = index + 1;
    if (brace === '{') {
      preludes.push(part.slice(part.lastIndexOf(';') + 1));
      isInner = true;
      continue;
    }
    const prelude = preludes.pop() ?? '';
    const isPrinted = preludes.some((around) => /^\s*@media\s+print\s*$/i.test(around));
    if (isInner && !isPrinted && (part.length > longestRule || hidingStyle.test(part)))
      selectors.push(...prelude.split(','));
    isInner = false;
  }
  return selectors;
}

/** Returns the key of what a selector selects: an id, a class, a tag, an attribute, or `*`. */
function keysOf(selector: string): string[] {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  if (/::|:(?:before|after|placeholder)/.test(last)) return [];
  if (/^(?:from|to|\d+(?:\.\d+)?%)$/.test(last)) return [];
  const bare = last.replace(/:.*$/s, '').replace(/^&/, '');
  const key =
    /#[\w-]+/.exec(bare)?.[0] ??
    /\.[\w-]+/.exec(bare)?.[0] ??
    /^[a-z][\w-]*/i.exec(bare)?.[0].toLowerCase() ??
    /\[[\w-]+/.exec(bare)?.[0];
  return [key ?? '*'];
}
