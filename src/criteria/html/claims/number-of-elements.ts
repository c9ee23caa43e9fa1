import type { NumberClaim } from '../../../requirements/claim/claim.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, type SeenNumber } from '../../deciders/decision.js';
import { exactText, isPromise, looseText, wholeWordsAt } from '../../deciders/loose-text.js';
import { mapInTurns } from '../../event-turns.js';
import type { Element } from '../dom.js';
import { elementsIn, pagesFor, partsOf } from './claimed-pages.js';
import type { ElementKind } from './element-kind.js';
import { elementKind, htmlOnly } from './element-kinds.js';
import { possiblePageText, possibleText, shownText } from './page-text.js';
import { type PageView, viewOf } from './page-view.js';

/** Tags that a page never shows. */
const unseen =
  /^(?:html|head|body|base|link|meta|script|style|template|title|noscript|source|track)$/;

/** Decides how many elements of a kind pages have. */
export const numberOfElements: ClaimCheck = {
  id: 'html-elements',
  version: 1,
  decide: async (claim, output) => {
    if (claim.about !== 'number') return undefined;
    const kind = elementKind(claim.kind, claim.text);
    if (kind === undefined) return undefined;
    const found = await pagesFor(claim.place, output, htmlOnly.has(claim.kind));
    if (found === undefined) return undefined;
    const seen = await mapInTurns(found.pages, (page) =>
      seenInPage(claim, kind, viewOf(page, found.artifacts)),
    );
    const known = seen.filter((inPage) => inPage !== undefined);
    return known.length < seen.length ? undefined : numberDecision(claim, known.flat());
  },
};

const mostNear = 5000;

function seenInPage(
  claim: NumberClaim,
  kind: ElementKind,
  view: PageView,
): readonly SeenNumber[] | undefined {
  const { part } = claim.place;
  if (part === undefined) return [seenIn(view.page.elements, { claim, kind, view })];
  const parts = partsOf(view.page, part);
  if (parts.length > 0)
    return parts.map((root) => seenIn([...elementsIn(root)], { claim, kind, view }));
  // without the part, nothing is seen in it: that satisfies nothing
  const { most, where } = seenIn(view.page.elements, { claim, kind, view });
  return claim.quantity.least === 0 ? undefined : [{ where, least: 0, most, evidence: [] }];
}

interface Counting {
  readonly claim: NumberClaim;
  readonly kind: ElementKind;
  readonly view: PageView;
}

function seenIn(elements: readonly Element[], { claim, kind, view }: Counting): SeenNumber {
  const { page, changes } = view;
  const text = claim.kind === 'tag' ? undefined : claim.text;
  const isShown = (element: Element): boolean =>
    view.visibility.isSure(element) || (claim.kind === 'tag' && unseen.test(element.tagName));
  const sure = elements.filter(
    (element) =>
      kind.sure(element) &&
      isShown(element) &&
      showsText(element, { text, partly: claim.partly === true }, view),
  );
  const near = elements.filter((element) => kind.maybe(element) || kind.sure(element));
  const isTooMuch = text !== undefined && near.length > mostNear;
  const possible =
    text === undefined || isTooMuch ? near : near.filter((element) => mayShow(element, text));
  // another element with the text may be meant, such as a paragraph that looks like a heading
  const mentions =
    text !== undefined && possiblePageText(page, '').includes(looseText(text)) ? 1 : 0;
  const imitated = [view.styles, view.inlineStyles].some((styles) => kind.styles?.test(styles));
  const isOpen = changes.adds || isTooMuch || imitated;
  return {
    where: page.file,
    least: changes.removes ? 0 : sure.length,
    most: isOpen ? Number.POSITIVE_INFINITY : Math.max(possible.length, mentions),
    evidence: sure.slice(0, 5).map((element) => view.evidenceOf(element)),
  };
}

function showsText(
  element: Element,
  { text, partly }: { readonly text: string | undefined; readonly partly: boolean },
  view: PageView,
): boolean {
  if (text === undefined) return true;
  const shown = shownText(element, view.visibility);
  const wanted = exactText(text);
  const isIt = partly ? wholeWordsAt(shown, wanted) !== -1 : shown === wanted;
  return isIt && !isPromise(shown.replace(wanted, ''));
}

function mayShow(element: Element, text: string): boolean {
  const wanted = looseText(text);
  return wanted === '' || possibleText(element).includes(wanted);
}
