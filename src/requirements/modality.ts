import type { RequirementStrength } from './requirement.js';

const obligation = /\b(?:must|shall|should|needs? to|requires?(?! ?\()|(?:is|are|be) required|REQUIRED|RECOMMENDED)\b/i;
const released = /\b(?:(?:do|does|did) not|don['’]t|doesn['’]t|no longer|never) (?:need to|needs to|requires?)\b/gi;
const code = /`[^`]*`/g;

const must = /\b(?:must|shall|required|requires?|mandatory)\b/i;
const should = /\b(?:should|recommended)\b/i;
const may = /\b(?:may|optional|optionally)\b/i;

/** Whether a sentence says what has to be so. Words inside inline code say nothing. */
export function isObligation(sentence: string): boolean {
  return obligation.test(sentence.replace(code, '`').replace(released, ''));
}

/** The strength that a text states, the strongest word counting; undefined when it holds none of the RFC 2119 words. */
export function statedStrength(text: string): RequirementStrength | undefined {
  const plain = text.replace(code, '`').replace(released, '');
  if (must.test(plain)) return 'MUST';
  if (should.test(plain)) return 'SHOULD';
  return may.test(plain) ? 'MAY' : undefined;
}

/** The strength that a heading gives to the list below it ("Must have", "Nice to have"). */
export function headingStrength(heading: string): RequirementStrength | undefined {
  if (/\b(?:nice[- ]to[- ]haves?|could[- ]haves?|optional|stretch goals?)\b/i.test(heading)) return 'MAY';
  if (/\b(?:must[- ]haves?|mandatory|required)\b/i.test(heading)) return 'MUST';
  return /\bshould[- ]haves?\b/i.test(heading) ? 'SHOULD' : undefined;
}

/** Whether a heading says that what follows was not asked for. */
export function isExcluding(heading: string): boolean {
  return /\b(?:out[- ]of[- ]scope|not in scope|non[- ]?goals?|non[- ]requirements?|won['’]?t[- ](?:have|do))\b/i.test(heading);
}

/** Whether a heading says that what follows explains: then only what is put as an obligation was asked for. */
export function isExplaining(heading: string): boolean {
  return /^(?:why|background|motivation|rationale|references?|links?|see also|glossary|change ?log|assumptions?|notes?)\b/i.test(heading.trim());
}
