import type { Artifacts } from '../../../core/artifact.js';
import type { NumberClaim } from '../../../requirements/claim/claim.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, type SeenNumber } from '../../deciders/decision.js';
import { pagesFor } from '../../html/claims/claimed-pages.js';
import { passagesIn } from '../../html/claims/page-text.js';
import { viewOf } from '../../html/claims/page-view.js';
import { type ClaimedDocument, documentsFor } from './claimed-documents.js';
import { passagesOf } from './document-text.js';

/** Where the ways to count differ, a number this near to the limit decides nothing. */
const tolerance = 0.02;

/**
 * Decides the length of texts in words, characters or lines. It counts in several ways, and decides
 * if all of them agree.
 */
export const lengthClaims: ClaimCheck = {
  id: 'text-length',
  version: 1,
  decide: async (claim, output) => {
    if (claim.about !== 'number' || !/^(?:word|character|line)$/.test(claim.kind)) return undefined;
    const seen = await lengthsOf(claim, output);
    return seen && numberDecision(claim, seen);
  },
};

async function lengthsOf(
  claim: NumberClaim,
  output: Artifacts,
): Promise<readonly SeenNumber[] | undefined> {
  const documents = documentsFor(claim.place, output);
  if (documents !== undefined)
    return documents.map((document) =>
      boundsOf(document.file, claim.kind, [
        document.source,
        ...(claim.kind === 'line' ? [] : [shownIn(document)]),
      ]),
    );
  const found = claim.kind === 'line' ? undefined : await pagesFor(claim.place, output, false);
  return found?.pages.map((page) => {
    const view = viewOf(page, found.artifacts);
    const body = page.elements.find(({ tagName }) => tagName === 'body');
    const shown = body === undefined ? [] : passagesIn(body, view.visibility);
    const { least, most, ...seen } = boundsOf(page.file, claim.kind, [
      shown.map(({ text }) => text).join('\n'),
      allTextOf(page.elements),
    ]);
    return {
      ...seen,
      least: view.changes.removes ? 0 : least,
      most: view.changes.adds ? Number.POSITIVE_INFINITY : most,
    };
  });
}

function shownIn(document: ClaimedDocument): string {
  return passagesOf(document)
    .map(({ text }) => text)
    .join('\n');
}

function allTextOf(elements: Parameters<typeof viewOf>[0]['elements']): string {
  return elements
    .filter(({ tagName }) => !/^(?:script|style|title)$/.test(tagName))
    .flatMap(({ childNodes }) =>
      childNodes.map((node) => (node.nodeName === '#text' && 'value' in node ? node.value : ' ')),
    )
    .join('');
}

/** Returns the least and the greatest number that a way to count gives. */
function boundsOf(where: string, unit: string, texts: readonly string[]): SeenNumber {
  const numbers = texts.flatMap((text) => countsOf(text, unit));
  const least = Math.min(...numbers);
  const most = Math.max(...numbers);
  const spread = least === most || unit === 'line' ? 0 : tolerance;
  return {
    where,
    least: Math.floor(least * (1 - spread)),
    most: Math.ceil(most * (1 + spread)),
    evidence: [],
  };
}

/** Returns the length of a text by each way to count. */
function countsOf(text: string, unit: string): number[] {
  const trimmed = text.trim();
  if (unit === 'word') {
    const words = trimmed.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    return [words, trimmed.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu)?.length ?? 0];
  }
  if (unit === 'character') {
    const points = Array.from(trimmed).length;
    return [points, trimmed.length, trimmed.replaceAll(/\s+/g, ' ').length, text.length];
  }
  const lines = trimmed.split(/\r\n|\n|\r/);
  return [lines.length, lines.filter((line) => line.trim() !== '').length];
}
