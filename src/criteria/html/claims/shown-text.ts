import type { NumberClaim } from '../../../requirements/claim/claim.js';
import { isNone } from '../../../requirements/claim/quantity.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, type SeenNumber } from '../../deciders/decision.js';
import { exactText, firstWordAt, looseText } from '../../deciders/loose-text.js';
import { mapInTurns } from '../../event-turns.js';
import type { Element } from '../dom.js';
import { pagesFor, partsOf } from './claimed-pages.js';
import { passagesIn, passageWith, possiblePageText } from './page-text.js';
import { type PageView, viewOf } from './page-view.js';

/** Decides whether readers of pages see a text. */
export const shownTextInPages: ClaimCheck = {
  id: 'html-text',
  version: 1,
  decide: async (claim, output) => {
    if (claim.about !== 'number' || claim.kind !== 'text' || claim.text === undefined)
      return undefined;
    const found = await pagesFor(claim.place, output, false);
    if (found === undefined) return undefined;
    const { text } = claim;
    const seen = await mapInTurns(found.pages, (page) =>
      seenInPage(claim, text, viewOf(page, found.artifacts)),
    );
    const known = seen.filter((inPage) => inPage !== undefined);
    return known.length < seen.length ? undefined : numberDecision(claim, known.flat());
  },
};

function seenInPage(
  claim: NumberClaim,
  text: string,
  view: PageView,
): readonly SeenNumber[] | undefined {
  const { page } = view;
  const most = mayContain(text, view, isNone(claim.quantity)) ? 1 : 0;
  const { part } = claim.place;
  if (part !== undefined) {
    const parts = partsOf(page, part);
    if (parts.length === 0 && isNone(claim.quantity)) return undefined;
    if (parts.length > 0) return parts.map((root) => seenIn(root, text, { view, most }));
    return [{ where: page.file, least: 0, most, evidence: [] }];
  }
  const body = page.elements.find(({ tagName }) => tagName === 'body');
  return body === undefined ? undefined : [seenIn(body, text, { view, most })];
}

function seenIn(
  root: Element,
  text: string,
  { view, most }: { readonly view: PageView; readonly most: number },
): SeenNumber {
  const found = passageWith(passagesIn(root, view.visibility), exactText(text));
  if (found === undefined || view.changes.removes)
    return { where: view.page.file, least: 0, most, evidence: [] };
  return {
    where: view.page.file,
    least: 1,
    most: 1,
    evidence: [view.evidenceAt(firstWordAt(view.page.source, text, found.start))],
  };
}

/** Returns whether a page may show anything like a text. `anywhere` includes comments and scripts. */
function mayContain(text: string, { page, changes, styles }: PageView, anywhere: boolean): boolean {
  if (
    changes.adds ||
    page.elements.some(({ tagName }) => /^(?:iframe|frame|object|embed)$/.test(tagName))
  )
    return true;
  const wanted = looseText(text);
  return (
    wanted === '' ||
    possiblePageText(page, styles).includes(wanted) ||
    (anywhere && looseText(page.source).includes(wanted))
  );
}
