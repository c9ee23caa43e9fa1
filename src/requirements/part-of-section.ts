import { kindOfHeadings, type SectionKind } from './sections.js';

/** Matches names of pages and parts of them, which say nothing of their own about a section. */
const page = /^(?:\d[\d.]* )?(?:about(?: us)?|contact(?: us| page)?|news|faqs?|pricing)$/i;

/** Matches names of parts that look like names of sections: "Daily progress", "Notes and tags". */
const partOfProduct =
  /^notes? (?:and|&) | (?:and|&) (?:\w+ )?notes?$|^\w+ (?:\w+ )?(?:progress|status|metrics?|discussions?|files?)$/i;

/** Matches names of sections whose parts are parts of the product. */
const parts =
  /\b(?:features?|capabilit(?:y|ies)|functionality|functional|pages|screens|modules|components|journeys?|flows)\b/i;

/** Returns whether a heading names a part of a section for requirements: "Class schedule". */
export function isPartOf(
  above: readonly { readonly text: string; readonly kind: SectionKind }[],
  text: string,
  named: SectionKind,
): boolean {
  const isPart = named === 'unclear' || page.test(text) || partOfProduct.test(text);
  const hasParts = above.some((heading) => parts.test(heading.text));
  return isPart && hasParts && kindOfHeadings(above.map(({ kind }) => kind)) === 'requirements';
}
