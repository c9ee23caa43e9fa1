import type { Artifact } from '../../../core/artifact.js';
import { attribute, type Element, type Page, rawText } from '../dom.js';
import { isPlaceholder } from '../model/placeholders.js';
import { linkedArtifact } from './linked-artifact.js';

/** What scripts and templates may change about a page after it was read. */
export interface PageChanges {
  /** Whether something may be added that the source does not show. */
  readonly adds: boolean;
  /** Whether something may be removed that the source shows. */
  readonly removes: boolean;
}

const adding =
  /createElement|createTextNode|inner(?:HTML|Text)|outerHTML|textContent|insert(?:Adjacent|Before|Row|Cell|Node)|append|prepend|replace(?:With|Children|Child)|document\.write|clone(?:Node|Contents)|importNode|render|hydrate|mount|createApp|attachShadow|customElements|jQuery|\$\(|setAttribute|\.(?:alt|title|lang|value|src|text|html|label|placeholder|style|className|dataset)\b\s*(?:\(|=[^=])|import\b|require\(|eval\(|Function\(|fetch\(|XMLHttpRequest|\[\s*['"`]|setHTML|location/;
const removing =
  /\.remove\(\s*\)|removeChild|removeAttribute|replace(?:With|Children|Child)|outerHTML|innerHTML|document\.write|\.empty\(|\.detach\(|display\s*=|\.hidden\s*=|\.hide\(/;
const script =
  /^(?:|module|(?:text|application)\/(?:javascript|ecmascript|x-javascript|babel|jsx))$/i;

/** Returns whether an element is a script that runs. */
export function isRunning(element: Element): boolean {
  return element.tagName === 'script' && script.test(attribute(element, 'type')?.trim() ?? '');
}

/** Returns whether an attribute runs a script: `onclick`, or a link with `javascript:`. */
export function runsScript({ name, value }: Element['attrs'][number]): boolean {
  return /^on[a-z]{3,}$/.test(name) || /^\s*javascript:/i.test(value);
}

/** Returns what scripts and templates may change about a page. */
export function changesOf(page: Page, artifacts: readonly Artifact[]): PageChanges {
  if (page.elements.some(isTemplated)) return { adds: true, removes: true };
  const scripts = page.elements.filter(isRunning);
  const linked = scripts.map((element) => {
    const source = attribute(element, 'src');
    return source === undefined
      ? rawText(element)
      : linkedArtifact(source, page.file, artifacts)?.content;
  });
  const handlers = page.elements.flatMap(({ attrs }) =>
    attrs.filter(runsScript).map(({ value }) => value),
  );
  const text = [...linked, ...handlers].join('\n');
  return {
    adds: linked.includes(undefined) || adding.test(text) || page.elements.some(addsContent),
    removes: removing.test(text),
  };
}

function addsContent({ tagName }: Element): boolean {
  return tagName === 'template' || tagName === 'slot';
}

/** Returns whether a template fills in an attribute or the text of an element. */
function isTemplated(element: Element): boolean {
  if (/^(?:script|style|code|pre|textarea)$/.test(element.tagName)) return false;
  return (
    element.attrs.some(
      ({ name, value }) =>
        /^(?:v-|x-|ng-|:|@|\*|\[|\(|#|\{|<)/.test(name) ||
        (!runsScript({ name, value }) && isPlaceholder(value)),
    ) ||
    element.childNodes.some(
      (node) =>
        (node.nodeName === '#text' && 'value' in node && isPlaceholder(node.value)) ||
        (node.nodeName === '#comment' && 'data' in node && node.data.startsWith('?')),
    )
  );
}
