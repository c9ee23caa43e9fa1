import type { Found } from '../../artifact-criterion.js';
import { attribute, type Element, type Page, parentOf } from '../dom.js';
import { judgeEach } from '../judge-each.js';
import { fieldRoles } from '../model/aria-roles.js';
import { isControllingSummary, tabIndexOf } from '../model/focus.js';
import type { PageModel } from '../model/page-model.js';
import { explicitRole, semanticRole } from '../model/roles.js';
import { foundAt } from '../place.js';
import type { HtmlJudgement, HtmlRule } from '../rule.js';
import { labelEdits, labelsBefore } from './label-edits.js';

/** One kind of element that needs a name. */
export interface NamedKind {
  readonly noun: string;
  readonly advice: string;
  /** Whether an element is of this kind; only exposed elements are asked about. */
  readonly is: (element: Element, model: PageModel) => boolean;
  /** Why the name of an element cannot be told from the markup. */
  readonly unknown?: (element: Element) => string | undefined;
}

const html = 'http://www.w3.org/1999/xhtml';
const isInput = (element: Element, type: RegExp): boolean =>
  element.tagName === 'input' && type.test(attribute(element, 'type')?.trim() ?? '');
const isNative = (element: Element, names: RegExp): boolean =>
  element.namespaceURI === html && names.test(element.tagName);
const oddInputs = /^(?:color|date|datetime-local|file|month|password|time|week)$/i;

export const buttons: NamedKind = {
  noun: 'button',
  advice: 'Give it text, or an aria-label that says what it does',
  is: (element) => semanticRole(element) === 'button' && !isInput(element, /^image$/i),
};
export const imageButtons: NamedKind = {
  noun: 'image button',
  advice: 'Add alt text that says what it does',
  is: (element) => isInput(element, /^image$/i) && /^(?:button|)$/.test(semanticRole(element)),
};
export const links: NamedKind = {
  noun: 'link',
  advice: 'Give it text, or an aria-label that says where it leads',
  is: (element) => semanticRole(element) === 'link',
};
export const fields: NamedKind = {
  noun: 'field',
  advice: 'Add a <label for="..."> that names it',
  is: (element) =>
    fieldRoles.has(semanticRole(element)) ||
    (isInput(element, oddInputs) && explicitRole(element) === undefined),
};
const images: NamedKind = {
  noun: 'image',
  advice: 'Add alt text that says what it shows, or alt="" if it only decorates',
  is: (element, model) => isImage(element) && !isInsideImage(element, model),
};
export const menuItems: NamedKind = {
  noun: 'menu item',
  advice: 'Give it text, or an aria-label that says what it does',
  is: (element) => semanticRole(element) === 'menuitem',
};
export const summaries: NamedKind = {
  noun: 'summary',
  advice: 'Give it text that says what it opens',
  is: (element) => isControllingSummary(element) && semanticRole(element) === '',
};
const frames: NamedKind = {
  noun: 'frame',
  advice: 'Add a title that says what it holds',
  is: (element) =>
    element.tagName === 'iframe' &&
    (tabIndexOf(element) ?? 0) >= 0 &&
    explicitRole(element) === undefined,
};
const headings: NamedKind = {
  noun: 'heading',
  advice: 'Give it text, or take the element away',
  is: (element) => semanticRole(element) === 'heading',
};
const drawings: NamedKind = {
  noun: 'drawing',
  advice: 'Add a <title> inside of it, or an aria-label',
  is: (element) =>
    element.namespaceURI !== html &&
    /^(?:img|graphics-document|graphics-symbol)$/.test(explicitRole(element) ?? ''),
};
const objects: NamedKind = {
  noun: 'embedded object',
  advice: 'Add an aria-label or title that says what it shows',
  is: (element) =>
    element.tagName === 'object' &&
    (attribute(element, 'data') ?? '') !== '' &&
    explicitRole(element) === undefined &&
    mediaOf(element) !== 'page',
  unknown: (element) =>
    mediaOf(element) === undefined || hasFallback(element)
      ? 'what this object shows is not known'
      : undefined,
};

function isImage(element: Element): boolean {
  if (element.namespaceURI !== html || isNative(element, /^(?:input|object|area)$/)) return false;
  return semanticRole(element) === 'img';
}

/** What stands in an image is part of it. */
function isInsideImage(element: Element, { names }: PageModel): boolean {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) {
    if (explicitRole(above) === 'img' || explicitRole(above) === 'image')
      return names.nameOf(above) !== '';
  }
  return false;
}

function mediaOf(element: Element): 'media' | 'page' | undefined {
  const type = attribute(element, 'type')?.trim() ?? '';
  const data = (attribute(element, 'data') ?? '').replace(/[?#].*$/s, '');
  if (
    /^(?:image|audio|video)\//i.test(type) ||
    /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|mp3|ogg|wav|m4a|mp4|webm|mov)$/i.test(data)
  )
    return 'media';
  return /html|text\/plain/i.test(type) || /\.(?:x?html?|txt)$/i.test(data) ? 'page' : undefined;
}

function hasFallback(element: Element): boolean {
  return element.childNodes.some((node) => 'tagName' in node && node.tagName !== 'param');
}

/** Looks for elements of some kinds that have no name. `strict` takes no placeholder for one. */
export function judgeNames(
  pages: readonly Page[],
  kinds: readonly NamedKind[],
  { strict = false }: { readonly strict?: boolean } = {},
): HtmlJudgement {
  return judgeEach(pages, (model) => {
    let before: ReadonlyMap<Element, Element> | undefined;
    const nameOf = (element: Element): string =>
      strict ? model.names.nameBefore(element) : model.names.nameOf(element);
    return (element) => {
      const kind = model.exposure.isExposed(element)
        ? kinds.find(({ is }) => is(element, model))
        : undefined;
      if (kind === undefined || nameOf(element) !== '') return kind && [];
      const reason = unknownName(element, kind, model);
      if (reason !== undefined) return { unchecked: reason };
      before ??= labelsBefore(model.page);
      return [nameless(model.page, element, kind, before.get(element))];
    };
  });
}

function unknownName(
  element: Element,
  { unknown }: NamedKind,
  { names }: PageModel,
): string | undefined {
  return (
    unknown?.(element) ?? (names.mayBeNamed(element) ? 'its name comes from a template' : undefined)
  );
}

function nameless(
  page: Page,
  element: Element,
  kind: NamedKind,
  label: Element | undefined,
): Found {
  const edits =
    kind === fields && label !== undefined ? labelEdits(page, element, label) : undefined;
  return foundAt(page, element, {
    description: `${element.tagName} has no ${kind === fields ? 'label' : 'accessible name'}`,
    suggestedFix: kind.advice,
    edits,
  });
}

interface NameRule
  extends Pick<HtmlRule, 'id' | 'name' | 'description' | 'things' | 'wcag' | 'act'> {
  readonly kind: NamedKind;
}

function nameRule({ kind, ...rule }: NameRule): HtmlRule {
  return {
    ...rule,
    severity: 'major',
    category: 'quality',
    version: 1,
    suggestedFix: kind.advice,
    repairs: kind === fields,
    judge: ({ pages }) => judgeNames(pages, [kind]),
  };
}

/** The rules that things have a name. */
export const nameRules: readonly HtmlRule[] = [
  nameRule({
    kind: buttons,
    id: 'button-name',
    name: 'Names of buttons',
    description: 'Every button has a name',
    things: 'buttons',
    wcag: '4.1.2',
    act: ['97a4e1'],
  }),
  nameRule({
    kind: links,
    id: 'link-name',
    name: 'Names of links',
    description: 'Every link has a name',
    things: 'links',
    wcag: '2.4.4, 4.1.2',
    act: ['c487ae'],
  }),
  nameRule({
    kind: fields,
    id: 'field-name',
    name: 'Names of fields',
    description: 'Every field of a form has a name',
    things: 'fields',
    wcag: '4.1.2',
    act: ['e086e5'],
  }),
  nameRule({
    kind: images,
    id: 'image-name',
    name: 'Text for images',
    description: 'Every image has a text, or says that it only decorates',
    things: 'images',
    wcag: '1.1.1',
    act: ['23a2a8'],
  }),
  nameRule({
    kind: imageButtons,
    id: 'image-button-name',
    name: 'Names of image buttons',
    description: 'Every image button has a name',
    things: 'image buttons',
    wcag: '1.1.1, 4.1.2',
    act: ['59796f'],
  }),
  nameRule({
    kind: menuItems,
    id: 'menuitem-name',
    name: 'Names of menu items',
    description: 'Every menu item has a name',
    things: 'menu items',
    wcag: '4.1.2',
    act: ['m6b1q3'],
  }),
  nameRule({
    kind: summaries,
    id: 'summary-name',
    name: 'Names of summaries',
    description: 'Every summary that opens details has a name',
    things: 'summaries',
    wcag: '4.1.2',
    act: ['2t702h'],
  }),
  nameRule({
    kind: frames,
    id: 'frame-name',
    name: 'Names of frames',
    description: 'Every iframe has a name',
    things: 'frames',
    wcag: '4.1.2',
    act: ['cae760'],
  }),
  nameRule({
    kind: headings,
    id: 'heading-name',
    name: 'Headings with content',
    description: 'No heading is empty',
    things: 'headings',
    wcag: '1.3.1, 2.4.6',
    act: ['ffd0e9'],
  }),
  nameRule({
    kind: drawings,
    id: 'svg-name',
    name: 'Text for drawings',
    description: 'Every SVG element with the role of an image has a name',
    things: 'SVG elements with a role',
    wcag: '1.1.1',
    act: ['7d6734'],
  }),
  nameRule({
    kind: objects,
    id: 'object-name',
    name: 'Text for embedded objects',
    description: 'Every object that shows media has a name',
    things: 'embedded objects',
    wcag: '1.1.1',
    act: ['8fc3b6'],
  }),
];
