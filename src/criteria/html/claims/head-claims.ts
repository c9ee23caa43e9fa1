import type { NumberClaim } from '../../../requirements/claim/claim.js';
import { isNone } from '../../../requirements/claim/quantity.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, type SeenNumber } from '../../deciders/decision.js';
import { exactText, looseText, wholeWordsAt } from '../../deciders/loose-text.js';
import { mapInTurns } from '../../event-turns.js';
import { attribute, type Element, type Page, rawText } from '../dom.js';
import { isLanguageTag, primaryOf } from '../model/language.js';
import { isUnknown } from '../model/placeholders.js';
import { isViewport } from '../rules/viewport-zoom.js';
import { pagesFor } from './claimed-pages.js';
import { tags } from './element-tests.js';
import { possibleText } from './page-text.js';
import { type PageView, viewOf } from './page-view.js';

/** The bounds of a number from 0 to 1. */
type Bounds = readonly [least: number, most: number, shown?: Element];

const nothing: Bounds = [0, 0];
const unclear: Bounds = [0, 1];
/** Titles that editors write by themselves. */
const unwritten =
  /^(?:document|untitled(?: document)?|title|page|page title|my page|website|index|home ?page title)$/i;

/** Decides whether pages have a title, and which. */
export const titleClaims = headCheck('html-title', /^title(?:-tag)?$/, (claim, view) => {
  const { page } = view;
  const title = page.elements.find(
    (element) =>
      element.tagName === 'title' && element.namespaceURI === 'http://www.w3.org/1999/xhtml',
  );
  const text = exactText(title === undefined ? '' : rawText(title));
  const headings = claim.kind === 'title' ? page.elements.filter(tags('h1')) : [];
  if (title === undefined || text === '')
    return headings.length > 0 || !page.isDocument ? unclear : nothing;
  if (claim.text === undefined) return unwritten.test(text) ? unclear : [1, 1, title];
  if (isTitle(text, claim.text, claim.partly === true)) return [1, 1, title];
  const near = looseText(claim.text);
  const shown = [looseText(text), ...headings.map((element) => possibleText(element))];
  return shown.some((one) => one.includes(near)) ? unclear : nothing;
});

function isTitle(title: string, text: string, partly: boolean): boolean {
  const wanted = exactText(text);
  return partly ? wholeWordsAt(title, wanted) !== -1 : title === wanted;
}

/** Decides whether pages state their language, and which. */
export const languageClaims = headCheck('html-lang', /^lang$/, (claim, { page }) => {
  const html = page.elements.find(({ tagName }) => tagName === 'html');
  if (html === undefined || !page.isDocument || isUnknown(html, 'lang')) return unclear;
  const lang = (attribute(html, 'lang') ?? '').trim();
  if (lang === '') return attribute(html, 'xml:lang') === undefined ? nothing : unclear;
  if (!isLanguageTag(lang)) return unclear;
  if (claim.text === undefined) return [1, 1, html];
  if (!isLanguageTag(claim.text)) return unclear;
  const [given, wanted] = [lang.toLowerCase(), claim.text.toLowerCase()];
  if (given === wanted) return [1, 1, html];
  if (primaryOf(given) !== primaryOf(wanted)) return nothing;
  // "English" is any English; "en-US" is not "en-GB", and "en" is neither of them for sure
  return wanted.includes('-') ? unclear : [1, 1, html];
});

/** Decides whether pages have a viewport. */
export const viewportClaims = headCheck('viewport', /^viewport$/, (_, { page }) => {
  const meta = page.elements.find(isViewport);
  if (meta === undefined) return page.isDocument ? nothing : unclear;
  return /width\s*=\s*device-width/i.test(attribute(meta, 'content') ?? '')
    ? [1, 1, meta]
    : unclear;
});

function headCheck(
  id: string,
  kinds: RegExp,
  look: (claim: NumberClaim, view: PageView) => Bounds,
): ClaimCheck {
  return {
    id,
    version: 1,
    decide: async (claim, output) => {
      if (claim.about !== 'number' || !kinds.test(claim.kind) || claim.place.part !== undefined)
        return undefined;
      if (isNone(claim.quantity)) return undefined;
      const found = await pagesFor(claim.place, output, claim.kind !== 'title');
      if (found === undefined) return undefined;
      const seen = await mapInTurns(found.pages, (page) =>
        seenBy(viewOf(page, found.artifacts), claim, look),
      );
      return numberDecision(claim, seen);
    },
  };
}

function seenBy(
  view: PageView,
  claim: NumberClaim,
  look: (claim: NumberClaim, view: PageView) => Bounds,
): SeenNumber {
  const { page, changes } = view;
  const [least, most, shown] = look(claim, view);
  return {
    where: page.file,
    least: changes.removes && isFilledIn(page) ? 0 : least,
    most: changes.adds ? 1 : most,
    evidence: shown === undefined ? [] : [view.evidenceOf(shown)],
  };
}

/** Returns whether the head is filled in by a template or a script. */
function isFilledIn({ elements }: Page): boolean {
  return elements.some((element) => element.tagName === 'title' && /[{<%$]/.test(rawText(element)));
}
