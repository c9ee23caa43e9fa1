import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';
import type { Edit, Found } from '../artifact-criterion.js';
import { attribute, type Element, type Page } from './dom.js';

const longestQuote = 500;

/** What a rule says of the element at which it finds a problem. */
export type FoundAt = Pick<Found, 'description' | 'suggestedFix' | 'edits' | 'severity'>;

/** Returns a finding at an element, with a quote of its start tag. */
export function foundAt(page: Page, element: Element, finding: FoundAt): Found {
  const { description, suggestedFix, edits, severity } = finding;
  const place = element.sourceCodeLocation?.startTag ?? element.sourceCodeLocation ?? undefined;
  return {
    description,
    ...(suggestedFix !== undefined && { suggestedFix }),
    ...(severity !== undefined && { severity }),
    ...(edits !== undefined && { edits }),
    file: page.file,
    line: page.lineAt(place?.startOffset ?? 0),
    ...(place !== undefined && {
      evidence: cutAroundSecrets(
        page.source.slice(place.startOffset, place.endOffset),
        longestQuote,
      ),
    }),
  };
}

/** Returns a finding about a whole page, with a quote of its beginning. */
export function foundInPage(page: Page, finding: FoundAt): Found {
  const first = page.elements.find((element) => element.sourceCodeLocation?.startTag !== undefined);
  if (first !== undefined && (first.tagName === 'html' || page.doctypeEnd === undefined))
    return { ...foundAt(page, first, finding), once: true };
  const evidence = page.source.slice(0, Math.min(page.doctypeEnd ?? 80, longestQuote));
  return { ...finding, file: page.file, line: 1, evidence, once: true };
}

/** Returns ids that no element of a page has: `id-2`, `id-3` and so on. */
export function* freeIds({ byId }: Page, id: string): Generator<string, never> {
  for (let number = 2; ; number += 1) if (!byId.has(`${id}-${number}`)) yield `${id}-${number}`;
}

export function addAttribute(element: Element, name: string, value: string): Edit | undefined {
  const start =
    element.sourceCodeLocation?.startTag?.startOffset ?? element.sourceCodeLocation?.startOffset;
  if (start === undefined || attribute(element, name) !== undefined) return undefined;
  const at = start + 1 + element.tagName.length;
  return { start: at, end: at, text: ` ${written(name, value)}` };
}

/** Returns the edit that changes the value of an attribute. */
export function setAttribute(element: Element, name: string, value: string): Edit | undefined {
  const place = element.sourceCodeLocation?.attrs?.[name];
  if (place === undefined) return addAttribute(element, name, value);
  return { start: place.startOffset, end: place.endOffset, text: written(name, value) };
}

function written(name: string, value: string): string {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

/** Returns a place that a rule cannot decide, with the reason. */
export function uncheckedAt(page: Page, element: Element, reason: string): string {
  return `${page.file}:${page.lineAt(element.sourceCodeLocation?.startOffset ?? 0)} ${reason}`;
}
