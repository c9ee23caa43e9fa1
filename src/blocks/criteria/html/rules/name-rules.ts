import type { Edit } from '../../artifact-criterion.js';
import {
  attribute,
  type ChildNode,
  closest,
  type Element,
  isOfHtml,
  keyword,
  type Page,
} from '../dom.js';
import { baseRole, fieldRoles } from '../model/aria.js';
import { isControllingSummary, tabIndexOf } from '../model/exposure.js';
import { modelOf, type PageModel } from '../model/page-model.js';
import { explicitRole, mayBeNamed, roleless, semanticRole } from '../model/roles.js';
import { addAttribute, freeIds } from '../page.js';
import {
  type Answer,
  type HtmlJudgement,
  type HtmlRule,
  htmlRule,
  judgePage,
  together,
} from '../rule.js';

export interface NamedKind
  extends Pick<
    HtmlRule,
    'id' | 'name' | 'description' | 'things' | 'wcag' | 'act' | 'suggestedFix'
  > {
  readonly is: (element: Element, model: PageModel) => boolean;
  /** Returns the reason if the markup does not show the name of an element. */
  readonly unknown?: (element: Element) => string | undefined;
}

export const namedKinds: readonly NamedKind[] = [
  {
    id: 'button-name',
    name: 'Names of buttons',
    description: 'Every button has a name',
    things: 'buttons',
    wcag: '4.1.2',
    act: ['97a4e1'],
    suggestedFix: 'Give it text, or an aria-label that says what it does',
    is: (element) => semanticRole(element) === 'button' && !isImageButton(element),
  },
  {
    id: 'link-name',
    name: 'Names of links',
    description: 'Every link has a name',
    things: 'links',
    wcag: '2.4.4, 4.1.2',
    act: ['c487ae'],
    suggestedFix: 'Give it text, or an aria-label that says where it leads',
    is: isLink,
  },
  {
    id: 'field-name',
    name: 'Names of fields',
    description: 'Every field of a form has a name',
    things: 'fields',
    wcag: '4.1.2',
    act: ['e086e5'],
    suggestedFix: 'Add a <label for="..."> that names it',
    is: isField,
  },
  {
    id: 'image-name',
    name: 'Text for images',
    description: 'Every image has a text, or says that it is decorative',
    things: 'images',
    wcag: '1.1.1',
    act: ['23a2a8'],
    suggestedFix: 'Add alt text that says what it shows, or alt="" if it is decorative',
    is: (element, model) =>
      isOfHtml(element) &&
      !/^(?:input|object|area)$/.test(element.tagName) &&
      baseRole(semanticRole(element)) === 'img' &&
      !isInsideImage(element, model),
  },
  {
    id: 'image-button-name',
    name: 'Names of image buttons',
    description: 'Every image button has a name',
    things: 'image buttons',
    wcag: '1.1.1, 4.1.2',
    act: ['59796f'],
    suggestedFix: 'Add alt text that says what it does',
    is: (element) => isImageButton(element) && /^(?:button|)$/.test(semanticRole(element)),
  },
  {
    id: 'menuitem-name',
    name: 'Names of menu items',
    description: 'Every menu item has a name',
    things: 'menu items',
    wcag: '4.1.2',
    act: ['m6b1q3'],
    suggestedFix: 'Give it text, or an aria-label that says what it does',
    is: (element) => semanticRole(element) === 'menuitem',
  },
  {
    id: 'summary-name',
    name: 'Names of summaries',
    description: 'Every summary that opens details has a name',
    things: 'summaries',
    wcag: '4.1.2',
    act: ['2t702h'],
    suggestedFix: 'Give it text that says what it opens',
    is: (element) => isControllingSummary(element) && semanticRole(element) === '',
  },
  {
    id: 'frame-name',
    name: 'Names of frames',
    description: 'Every iframe has a name',
    things: 'frames',
    wcag: '4.1.2',
    act: ['cae760'],
    suggestedFix: 'Add a title that says what it contains',
    is: (element) =>
      element.tagName === 'iframe' &&
      (tabIndexOf(element) ?? 0) >= 0 &&
      explicitRole(element) === undefined,
  },
  {
    id: 'heading-name',
    name: 'Headings with content',
    description: 'No heading is empty',
    things: 'headings',
    wcag: '1.3.1, 2.4.6',
    act: ['ffd0e9'],
    suggestedFix: 'Give it text, or remove the element',
    is: (element) => semanticRole(element) === 'heading',
  },
  {
    id: 'svg-name',
    name: 'Text for drawings',
    description: 'Every SVG element with the role of an image has a name',
    things: 'SVG elements with a role',
    wcag: '1.1.1',
    act: ['7d6734'],
    suggestedFix: 'Add a <title> inside it, or an aria-label',
    is: (element) =>
      !isOfHtml(element) &&
      /^(?:img|graphics-document|graphics-symbol)$/.test(explicitRole(element) ?? ''),
  },
  {
    id: 'object-name',
    name: 'Text for embedded objects',
    description: 'Every object that shows media has a name',
    things: 'embedded objects',
    wcag: '1.1.1',
    act: ['8fc3b6'],
    suggestedFix: 'Add an aria-label or title that says what it shows',
    is: (element) =>
      element.tagName === 'object' &&
      (attribute(element, 'data') ?? '') !== '' &&
      explicitRole(element) === undefined &&
      mediaOf(element) !== 'page',
    unknown: (element) =>
      mediaOf(element) === undefined ||
      element.childNodes.some((node) => 'tagName' in node && node.tagName !== 'param')
        ? 'what this object shows is unknown'
        : undefined,
  },
];

export const nameRules: readonly HtmlRule[] = [
  ...namedKinds.map((kind) =>
    htmlRule({
      ...kind,
      category: 'quality',
      repairs: kind.is === isField,
      judge: (model) => namesIn(model, [kind]),
    }),
  ),
  // a placeholder disappears with the first character
  htmlRule({
    id: 'field-label',
    name: 'Labels of fields',
    description: 'No field has only a placeholder as its name',
    severity: 'minor',
    category: 'quality',
    wcag: '3.3.2',
    things: 'fields',
    suggestedFix: 'Add a lasting label; a placeholder disappears with the first character',
    repairs: true,
    judge: (model) => {
      const { names, page } = model;
      const editsOf = labelling(page);
      return (element) => {
        if (!isField(element) || names.nameOf(element) === '') return undefined;
        if (names.nameBefore(element) !== '' || mayBeNamed(element)) return [];
        const description = `only the placeholder names the ${element.tagName}`;
        return [{ description, suggestedFix: 'Add a lasting label', edits: editsOf(element) }];
      };
    },
  }),
];

/** A placeholder does not count as a name. */
export function judgeNames(pages: readonly Page[], kinds: readonly NamedKind[]): HtmlJudgement {
  return together(
    pages.map((page) => {
      const model = modelOf(page);
      return judgePage(model, namesIn(model, kinds, { strict: true }));
    }),
  );
}

function namesIn(
  model: PageModel,
  kinds: readonly NamedKind[],
  { strict = false }: { readonly strict?: boolean } = {},
): (element: Element) => Answer {
  const editsOf = labelling(model.page);
  const nameOf = (element: Element): string =>
    strict ? model.names.nameBefore(element) : model.names.nameOf(element);
  return (element) => {
    const kind = kinds.find(({ is }) => is(element, model));
    if (kind === undefined) return undefined;
    if (nameOf(element) !== '') return [];
    const unchecked = whyUnknown(element, kind);
    if (unchecked !== undefined) return { unchecked };
    const { tagName } = element;
    const { suggestedFix } = kind;
    return kind.is === isField
      ? [{ description: `${tagName} has no label`, suggestedFix, edits: editsOf(element) }]
      : [{ description: `${tagName} has no accessible name`, suggestedFix }];
  };
}

function whyUnknown(element: Element, { unknown }: NamedKind): string | undefined {
  return unknown?.(element) ?? (mayBeNamed(element) ? 'its name comes from a template' : undefined);
}

/** Ties fields to the labels right before them. */
function labelling(page: Page): (field: Element) => readonly Edit[] | undefined {
  let before: ReadonlyMap<Element, Element> | undefined;
  return (field) => {
    before ??= labelsBefore(page);
    const label = before.get(field);
    return label && labelEdits(page, field, label);
  };
}

export function isLink(element: Element): boolean {
  return baseRole(semanticRole(element)) === 'link';
}

function isField(element: Element): boolean {
  return (
    fieldRoles.has(semanticRole(element)) ||
    (element.tagName === 'input' &&
      roleless.test(keyword(element, 'type')) &&
      explicitRole(element) === undefined)
  );
}

export function isImageButton(element: Element): boolean {
  return element.tagName === 'input' && keyword(element, 'type') === 'image';
}

function isInsideImage(element: Element, { names }: PageModel): boolean {
  const image = closest(element, (above) => /^(?:img|image)$/.test(explicitRole(above) ?? ''));
  return image !== undefined && names.nameOf(image) !== '';
}

function mediaOf(element: Element): 'media' | 'page' | undefined {
  const type = keyword(element, 'type');
  const data = (attribute(element, 'data') ?? '').replace(/[?#].*$/s, '');
  if (
    /^(?:image|audio|video)\//.test(type) ||
    /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|mp3|ogg|wav|m4a|mp4|webm|mov)$/i.test(data)
  )
    return 'media';
  return /html|text\/plain/.test(type) || /\.(?:x?html?|txt)$/i.test(data) ? 'page' : undefined;
}

/**
 * Returns the edits that connect a field to the unattached `<label>` right before it. Labels of
 * checkboxes and radio buttons often follow them.
 */
function labelEdits(page: Page, field: Element, label: Element): readonly Edit[] | undefined {
  if (
    !/^(?:input|select|textarea)$/.test(field.tagName) ||
    /^(?:checkbox|radio)$/i.test(attribute(field, 'type') ?? '')
  )
    return undefined;
  const id = attribute(field, 'id');
  if (id !== undefined && (id === '' || /\s/.test(id) || page.byId.get(id)?.length !== 1))
    return undefined;
  const target = id ?? freeId(page, field);
  const edits = [
    addAttribute(label, 'for', target),
    ...(id === undefined ? [addAttribute(field, 'id', target)] : []),
  ];
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

function labelsBefore(page: Page): ReadonlyMap<Element, Element> {
  const labels = new Map<Element, Element>();
  for (const parent of new Set(page.elements.map((element) => element.parentNode))) {
    let before: ChildNode | undefined;
    for (const node of parent?.childNodes.filter((child) => !separates(child)) ?? []) {
      if ('tagName' in node && before !== undefined && 'tagName' in before && isFreeLabel(before))
        labels.set(node, before);
      before = node;
    }
  }
  return labels;
}

/** White space, comments and line breaks. */
function separates(node: ChildNode): boolean {
  return (
    node.nodeName === '#comment' ||
    node.nodeName === 'br' ||
    (node.nodeName === '#text' && 'value' in node && node.value.trim() === '')
  );
}

function isFreeLabel(element: Element): boolean {
  const onlyText = element.childNodes.every(
    (node) =>
      node.nodeName === '#text' || /^(?:b|i|em|strong|span|small|sup|abbr)$/.test(node.nodeName),
  );
  return (
    element.tagName === 'label' &&
    attribute(element, 'for') === undefined &&
    onlyText &&
    element.childNodes.length > 0 &&
    element.sourceCodeLocation?.endTag !== undefined
  );
}

function freeId(page: Page, field: Element): string {
  const base =
    (attribute(field, 'name') ?? '')
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 40) || 'field';
  return page.byId.has(base) ? freeIds(page, base).next().value : base;
}
