import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, type SeenNumber } from '../../deciders/decision.js';
import { exactText, isPromise, looseText } from '../../deciders/loose-text.js';
import { type ClaimedDocument, documentsFor } from './claimed-documents.js';
import { evidenceAt, mayContain, placeOf } from './document-text.js';
import { markdownThings } from './markdown-things.js';

/** Decides whether texts contain a quoted text. */
export const textInDocuments: ClaimCheck = {
  id: 'text-content',
  version: 1,
  decide: (claim, output) => {
    if (claim.about !== 'number' || claim.kind !== 'text' || claim.text === undefined)
      return undefined;
    const wanted = claim.text;
    const seen = documentsFor(claim.place, output)?.map((document): SeenNumber => {
      const place = hidesText(document) ? undefined : placeOf(document, wanted);
      return {
        where: document.file,
        least: place === undefined ? 0 : 1,
        most: place !== undefined || mayContain(document, wanted) ? 1 : 0,
        evidence: place === undefined ? [] : [place],
      };
    });
    return seen && numberDecision(claim, seen);
  },
};

/** Decides how many headings, links, lists and the like Markdown texts have. */
export const numberOfMarkdownThings: ClaimCheck = {
  id: 'text-elements',
  version: 1,
  decide: (claim, output) => {
    if (claim.about !== 'number') return undefined;
    const documents = documentsFor(claim.place, output);
    if (documents === undefined || !documents.every(({ isMarkdown }) => isMarkdown))
      return undefined;
    const seen: SeenNumber[] = [];
    for (const document of documents) {
      const things = markdownThings(claim.kind, document.source, claim.text);
      if (things === undefined) return undefined;
      const shown = things.sure.filter(({ text }) => shows(text, claim.text));
      const isHidden = hidesText(document);
      seen.push({
        where: document.file,
        least: isHidden ? 0 : shown.length,
        most: mostOf(document, claim.text, { sure: things.sure.length, more: things.more }),
        evidence: shown.slice(0, 5).map(({ start }) => evidenceAt(document, start)),
      });
    }
    return numberDecision(claim, seen);
  },
};

function mostOf(
  document: ClaimedDocument,
  text: string | undefined,
  { sure, more }: { readonly sure: number; readonly more: number },
): number {
  if (text === undefined) return sure + more;
  return mayContain(document, text) ? sure + more : 0;
}

function shows(shown: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return exactText(shown) === exactText(wanted) && looseText(wanted) !== '' && !isPromise(shown);
}

/** Returns whether tags in a text may hide parts of it. */
function hidesText({ source, isMarkdown }: ClaimedDocument): boolean {
  return (
    isMarkdown &&
    /<(?:details|template|script|style)\b|<[a-z][^<>]{0,500}(?:\shidden|\sstyle\s*=)|\{\{|\{%/i.test(
      source,
    )
  );
}
