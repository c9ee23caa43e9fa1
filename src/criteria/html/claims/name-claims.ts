import type { CoverageEvidence } from '../../../core/coverage.js';
import type { PropertyClaim } from '../../../requirements/claim/claim.js';
import type { Kind } from '../../../requirements/claim/kinds.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { propertyDecision, type SeenProperty } from '../../deciders/decision.js';
import { mapInTurns } from '../../event-turns.js';
import { attribute, type Element } from '../dom.js';
import { modelOf, type PageModel } from '../model/page-model.js';
import { isPlaceholder, mayBeNamed } from '../model/placeholders.js';
import {
  buttons,
  fields,
  imageButtons,
  images,
  links,
  type NamedKind,
} from '../rules/named-kinds.js';
import { elementsIn, pagesFor, partsOf } from './claimed-pages.js';
import { elementKind } from './element-kinds.js';
import { shownText } from './page-text.js';
import { type PageView, viewOf } from './page-view.js';

/** Whether an element has a property; undefined if that is not certain. */
type Answer = boolean | undefined;

/** What decides a property of the elements of some kinds. */
interface NameCheck {
  readonly id: string;
  readonly property: PropertyClaim['property'];
  /** The kinds of a claim that it decides. */
  readonly of: RegExp;
  readonly kinds: readonly NamedKind[];
  readonly answer: (element: Element, model: PageModel, view: PageView) => Answer;
  /** The criterion that reports the elements that lack it. @default the one with the same id */
  readonly reportedBy?: string | undefined;
}

const mostShown = 3;
const fieldKinds =
  /^(?:field|input|textarea|select|checkbox|radio-button|(?:email|password|search|date)-field)$/;
const fileName =
  /\.(?:png|jpe?g|gif|webp|svg|avif|bmp)$|^(?:img|image|photo|picture|dsc)?[\s_-]*\d*$/i;
const anyLink = { of: /^link$/, kinds: [links] } as const;
const anyButton = { of: /^button$/, kinds: [buttons, imageButtons] } as const;
const anyField = { of: fieldKinds, kinds: [fields] } as const;

/** Decide whether all elements of a kind have an alternative text, a name, a text or a label. */
export const nameClaims: readonly ClaimCheck[] = [
  nameCheck({ id: 'image-name', property: 'alt', of: /^image$/, kinds: [images], answer: hasAlt }),
  nameCheck({ id: 'link-name', property: 'name', ...anyLink, answer: hasName }),
  nameCheck({
    id: 'link-text',
    property: 'text',
    ...anyLink,
    answer: showsText,
    reportedBy: 'link-name',
  }),
  nameCheck({ id: 'button-name', property: 'name', ...anyButton, answer: hasName }),
  nameCheck({
    id: 'button-text',
    property: 'text',
    ...anyButton,
    answer: showsText,
    reportedBy: 'button-name',
  }),
  nameCheck({ id: 'field-name', property: 'name', ...anyField, answer: hasName }),
  nameCheck({
    id: 'field-label',
    property: 'label',
    ...anyField,
    answer: hasLabel,
    reportedBy: 'field-name',
  }),
];

function nameCheck({ id, property, of, kinds, answer, reportedBy }: NameCheck): ClaimCheck {
  return {
    id,
    version: 1,
    decide: async (claim, output) => {
      if (claim.about !== 'property' || claim.property !== property || !of.test(claim.kind))
        return undefined;
      const found = await pagesFor(claim.place, output, true);
      if (found === undefined) return undefined;
      const seen = await mapInTurns(found.pages, (page) =>
        seenIn(viewOf(page, found.artifacts), claim, { kinds, answer }),
      );
      const what = `${property} of every ${claim.kind.replaceAll('-', ' ')}`;
      const decision = propertyDecision(what, seen);
      return decision?.satisfied === false && reportedBy !== undefined
        ? { ...decision, reportedBy }
        : decision;
    },
  };
}

function seenIn(
  view: PageView,
  { kind, place: { part } }: PropertyClaim,
  { kinds, answer }: Pick<NameCheck, 'kinds' | 'answer'>,
): SeenProperty {
  const model = modelOf(view.page);
  const elements =
    part === undefined
      ? view.page.elements
      : partsOf(view.page, part).flatMap((root) => [...elementsIn(root)]);
  const judged = elements.flatMap((element) => {
    const isJudged =
      model.exposure.isExposed(element) && kinds.some(({ is }) => is(element, model));
    if (!isMeant(element, kind, isJudged)) return [];
    const said = answer(element, model, view);
    const isCertain = said === true || (isJudged && !view.changes.removes);
    return [{ element, said: isCertain ? said : undefined }];
  });
  const evidence = (wanted: boolean): CoverageEvidence[] =>
    judged.filter(({ said }) => said === wanted).map(({ element }) => view.evidenceOf(element));
  const having = evidence(true);
  return {
    having: having.length,
    shown: having.slice(0, mostShown),
    lacking: evidence(false),
    unclear: judged.filter(({ said }) => said === undefined).length + (view.changes.adds ? 1 : 0),
  };
}

/** Returns whether a claim is about an element, or may be. */
function isMeant(element: Element, kind: Kind, isJudged: boolean): boolean {
  const { sure } = elementKind(kind, undefined) ?? {};
  if (kind === 'image' && element.tagName === 'svg')
    return isJudged || attribute(element, 'aria-hidden') !== 'true';
  const isNative = sure?.(element) === true;
  return /^(?:image|link|button|field)$/.test(kind) ? isJudged || isNative : isNative;
}

function hasAlt(element: Element, model: PageModel): Answer {
  const alt = attribute(element, 'alt')?.trim();
  if (alt === undefined) return isNameless(element, model) ? false : undefined;
  return alt === '' || fileName.test(alt) || isPlaceholder(alt) ? undefined : true;
}

function hasName(element: Element, model: PageModel): Answer {
  const name = model.names.nameBefore(element);
  if (name === '') return isNameless(element, model) ? false : undefined;
  return isPlaceholder(name) || !/[\p{L}\p{N}]/u.test(name) ? undefined : true;
}

function showsText(element: Element, model: PageModel, view: PageView): Answer {
  if (isNameless(element, model)) return false;
  return /[\p{L}\p{N}]/u.test(shownText(element, view.visibility)) || undefined;
}

/** A placeholder is not a label. An attribute such as `aria-label` may be one. */
function hasLabel(element: Element, model: PageModel): Answer {
  if (model.names.nameBefore(element) === '' && !mayBeNamed(element)) return false;
  const labels = model.names.labels.of(element);
  return labels.length > 0 && hasName(element, model) === true ? isLabelled(labels) : undefined;
}

function isLabelled(labels: readonly Element[]): Answer {
  return labels.some((label) => label.childNodes.some(isFilled)) || undefined;
}

function isFilled(node: Element['childNodes'][number]): boolean {
  if ('tagName' in node) return node.childNodes.some(isFilled);
  return node.nodeName === '#text' && 'value' in node && /[\p{L}\p{N}]/u.test(node.value);
}

function isNameless(element: Element, { names }: PageModel): boolean {
  return names.nameOf(element) === '' && !mayBeNamed(element);
}
