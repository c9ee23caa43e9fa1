import { isImperative } from './imperative.js';
import { isCapability, isForbidding, isObligation, statedStrength, unmarked } from './modality.js';
import type { RequirementStrength } from './requirement.js';
import { type SectionKind, sectionKind } from './sections.js';
import { isAboutItself, labelOf } from './shape.js';

/** What the line before a list says about the list ("The form must have:"). */
export interface Lead {
  /** The depth of the item that it is, -1 for a paragraph. */
  readonly indent: number;
  readonly strength: RequirementStrength | undefined;
  readonly kind: SectionKind;
  /** Its words, where the items mean nothing right without them ("The log must not hold:"). */
  readonly forbids: string | undefined;
}

const leaving =
  /\b(?:excluded?|out of scope|not (?:in scope|included|part of|covered|supported|doing|do)|won['’]t|non[- ]goals?|leave out|left out|dropped|rejected|discarded|decided against|ruled out|ignore[sd]?|unchanged|stays? as (?:it|they))\b/i;
const showing =
  /\b(?:for (?:example|instance|reference)|e\.g\.?|such as|(?:some |an? )?examples?(?: of)?(?: [\w-]+){0,3}|like (?:this|so))\s*[:：]?[*_]*$/i;
const telling =
  /\b(?:problems?|issues?|reasons?|because|currently|today|previously|see(?: also)?|note(?:s| that)?|context|alternatives?|(?:two |three |possible )?options?(?: \w+)?|pros|cons|benefits?|advantages?|disadvantages?|risks?|trade-?offs?|steps to reproduce|reproduce|means|useful|links?|references?|resources|background|learned|decided|questions?|assum\w+|observed|instead of|looks? like|works? like|(?:things?|good|nice|worth|important) to (?:know|keep in mind|remember)|keep in mind|be aware|for your information|fyi|facts|(?:was|were|have been|has been) (?:\w+ly )?(?!request|ask|requir|agreed|want|specif|demand|order)\w+(?:ed|t|n))\b[^.]{0,25}[:：]?[*_]*$/i;
const wanting =
  /\b(?:want|need|would like|expect|as follows|following (?:features?|requirements?|rules?|behaviou?r))\b/i;

/** Whether a text is followed by what it speaks of: "The form must have:", "**Code:**". */
export function introduces(text: string): boolean {
  return /[:：][*_]{0,3}$/.test(text.slice(-4));
}

/** What a line says about the list below it. */
export function leadOf(text: string, indent: number): Lead {
  const short = text.slice(-400);
  const forbids =
    isForbidding(short) &&
    isObligation(short.replace(/\bcannot\b|\bcan['’]t\b|\bdon['’]t\b/gi, 'must not'))
      ? text.replace(/[:：][*_]*$/, ':')
      : undefined;
  return { indent, strength: statedStrength(text), kind: kindOf(short), forbids };
}

function kindOf(text: string): SectionKind {
  const label = labelOf(text);
  if (label?.rest === '' && label.kind !== 'open') return label.kind;
  const named = sectionKind(text);
  const asks = isObligation(text);
  if (named === 'excluded' || (leaving.test(text) && !asks)) return 'excluded';
  if (showing.test(text) || isAboutItself(text)) return 'background';
  if (asks || isCommand(text)) return 'asked';
  if (telling.test(text)) return 'background';
  return isCapability(text) || wanting.test(text) ? 'asked' : nameIn(text, named);
}

function nameIn(text: string, named: SectionKind): SectionKind {
  return text.length < 80 ? named : 'open';
}

function isCommand(text: string): boolean {
  return isImperative(text) && !isTitle(text);
}

/** "**Version Management**": the name of a part, although it begins with a word that may be a verb. */
function isTitle(text: string): boolean {
  const words = /^(?:\*\*|__)([^*_]+)(?:\*\*|__)[:：]?$/.exec(text)?.[1]?.split(/\s+/) ?? [];
  return words.length > 1 && words.length < 5 && words.every((word) => /^\p{Lu}/u.test(word));
}

/** Whether a leading line is a requirement by itself, and its list only gives details: it does not end where an object is missing. */
export function isComplete(text: string): boolean {
  const words = unmarked(text)
    .replace(/[:：][*_]*$/, '')
    .replace(/,? (?:for|per|on|in|at|of) (?:each|every|any|all|the)(?: [\w-]+){1,3}$/i, '')
    .trim();
  if (words.split(/\s+/).length < 5) return false;
  return !/\b(?:includ(?:e|es|ed|ing)|have|has|contains?|supports?|with|from|to|of|are|is|be|by|for|as|on|in|at|the|a|an|following(?: [\w-]+){0,3}|follows|compose|describes?|covers?|provides?|offers?|allows?|shows?|displays?|accepts?|returns?|not|and|or|when|if|that|must|should|shall|can|will|at least|one of|all of|any of|either|these(?: [\w-]+){0,2}|below)$/i.test(
    words,
  );
}
