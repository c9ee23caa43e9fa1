import { isAside } from './aside.js';
import { isCommand, isDecision, isOffer, isWish } from './demand.js';
import { isNoise } from './noise.js';
import { plainStart } from './obligation.js';
import type { Sentence } from './sentences.js';
import type { TextPlace } from './text-place.js';

const capital = /\b(?:MUST|SHALL|SHOULD)\b/;

export function isOutside(text: string, { designed, people }: TextPlace): boolean {
  const names = plainStart(text).match(/\p{Lu}[\p{L}-]+/gu) ?? [];
  const isWork = names.some((name) => people.has(name)) && !isCommand(text);
  if (isWork || isNoise(text)) return true;
  const decides = designed && (isDecision(text, 'decisions') || isOffer(text));
  return isAside(text) && !decides && !capital.test(text);
}

const pronoun =
  /^(?:they|he|she|it(?! (?:must|shall|should|has to|needs to)\b)|this|that|these|those|their|his|her|one of them)\b|\b(?:he|she)\b/i;

/**
 * Returns the sentences about the result. One that begins with a pronoun is about what the sentence
 * before it is about.
 */
export function insideOf(sentences: readonly Sentence[], place: TextPlace): Sentence[] {
  let outside = false;
  return sentences.filter(({ text }) => {
    const refers = pronoun.test(plainStart(text)) && !capital.test(text) && !isWish(text);
    const goesOn = outside && !text.startsWith('(') && refers;
    outside = goesOn || isOutside(text, place);
    return !outside;
  });
}
