import type { Edit, Found } from '../artifact-criterion.js';
import { NameFinder } from './accessible-name.js';
import { type NamedKind, namedKind } from './interactive.js';
import { attribute, type ChildNode, type Element, type Page } from './page.js';
import { addAttribute, foundAt } from './place.js';
import type { HtmlJudgement, HtmlRule } from './rule.js';
import { hiddenIn } from './visibility.js';

const advice: Readonly<Record<NamedKind, string>> = {
  button: 'Give it text, or an aria-label that says what it does',
  link: 'Give it text, or an aria-label that says where it leads',
  field: 'Add a <label for="..."> that names it',
  image: 'Add alt text that says what it shows, or alt="" if it only decorates',
  frame: 'Add a title that says what it holds',
};

/** Every visible button, link, field, image and frame has a name. */
export const accessibleNames: HtmlRule = {
  id: 'accessible-names',
  name: 'Accessible names',
  description: 'Buttons, links, fields, images and frames have a name that assistive technology can say',
  severity: 'major',
  category: 'quality',
  version: 1,
  things: 'elements that need a name',
  suggestedFix: 'Give every button, link, field, image and frame a name',
  repairs: true,
  judge: ({ pages }) => judgeNames(pages, ['button', 'link', 'field', 'image', 'frame']),
};

/** Looks for elements of some kinds that have no name. */
export function judgeNames(pages: readonly Page[], kinds: readonly NamedKind[]): HtmlJudgement {
  let judged = 0;
  const findings: Found[] = [];
  for (const page of pages) {
    const names = new NameFinder(page);
    const labels = freeLabels(page);
    const hidden = hiddenIn(page.elements);
    const kindOf = (element: Element): NamedKind | undefined => (hidden.has(element) ? undefined : namedKind(element));
    const named = page.elements.flatMap((element) => ({ element, kind: kindOf(element) })).filter(({ kind }) => kind !== undefined && kinds.includes(kind));
    judged += named.length;
    for (const { element, kind = 'field' } of named) {
      if (names.nameOf(element) === '') findings.push(nameless(page, element, kind, labels.get(element)));
    }
  }
  return { judged, findings };
}

function nameless(page: Page, element: Element, kind: NamedKind, label: Element | undefined): Found {
  const edits = kind === 'field' && label !== undefined ? labelEdits(page, element, label) : undefined;
  return foundAt(page, element, { description: `${element.tagName} has no ${kind === 'field' ? 'label' : 'accessible name'}`, suggestedFix: advice[kind], edits });
}

/** Ties a field to the `<label>` right before it that is tied to nothing. Boxes and radio buttons have theirs behind them as often as before. */
function labelEdits(page: Page, field: Element, label: Element): readonly Edit[] | undefined {
  if (!/^(?:input|select|textarea)$/.test(field.tagName) || /^(?:checkbox|radio)$/i.test(attribute(field, 'type') ?? '')) return undefined;
  const id = attribute(field, 'id');
  if (id !== undefined && (id === '' || /\s/.test(id) || page.byId.get(id)?.length !== 1)) return undefined;
  const target = id ?? freeId(page, field);
  const edits = [addAttribute(label, 'for', target), ...(id === undefined ? [addAttribute(field, 'id', target)] : [])];
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

/** By element, the unattached label that stands right before it. */
function freeLabels(page: Page): ReadonlyMap<Element, Element> {
  const labels = new Map<Element, Element>();
  for (const parent of new Set(page.elements.map((element) => element.parentNode))) {
    let before: ChildNode | undefined;
    for (const node of parent?.childNodes.filter((child) => !separates(child)) ?? []) {
      if ('tagName' in node && before !== undefined && 'tagName' in before && isFreeLabel(before)) labels.set(node, before);
      before = node;
    }
  }
  return labels;
}

/** White space, comments and line breaks between a label and its field. */
function separates(node: ChildNode): boolean {
  return node.nodeName === '#comment' || node.nodeName === 'br' || (node.nodeName === '#text' && 'value' in node && node.value.trim() === '');
}

function isFreeLabel(element: Element): boolean {
  const onlyText = element.childNodes.every((node) => node.nodeName === '#text' || /^(?:b|i|em|strong|span|small|sup|abbr)$/.test(node.nodeName));
  return element.tagName === 'label' && attribute(element, 'for') === undefined && onlyText && element.childNodes.length > 0 && element.sourceCodeLocation?.endTag !== undefined;
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
