import { isCapability, isCommand, isUserStory } from './demand.js';
import { isIdentified, isMetadata, type Label, labelOf } from './label.js';
import type { MarkdownItem } from './markdown.js';
import { isNoise } from './noise.js';
import { isObligation } from './obligation.js';
import { isWholeScenario } from './scenario-steps.js';
import { isExplaining, isRequired, type SectionKind } from './sections.js';

/** The place of a text in its document. */
export interface TextPlace {
  readonly kind: SectionKind;
  /** Whether the document names a section for its requirements. */
  readonly named: boolean;
}

/** Returns whether a text is a command, or says what the result can do or does. */
export function isDemand(text: string): boolean {
  return isCommand(text) || isCapability(text);
}

/** Returns whether a sentence of running text states a requirement. */
export function asksAsSentence(text: string, { kind, named }: TextPlace): boolean {
  if (isExplaining(kind) || isNoise(text) || wordCount(text) < 3) return false;
  if (isObligation(text) || isUserStory(text)) return true;
  if (kind === 'description') return false;
  if (kind === 'acceptance' || (isIdentified(text) && wordCount(text) > 4)) return true;
  return (kind === 'requirements' || !named) && isDemand(text);
}

/**
 * Returns whether a command only names the work: "Design a login form". A command that describes
 * the result is a requirement: "Design a form that works without a mouse".
 */
export function namesWork(text: string): boolean {
  const detail =
    /\b(?:that|which|who|where|when|with|without|so|using|must|should|each|every|within|least|most|only|not|if|from|\d+)\b/i;
  return isCommand(text) && !detail.test(text);
}

/** Returns whether an item of a list states a requirement. */
export function asksAsItem(
  text: string,
  form: MarkdownItem['form'],
  { kind, named }: TextPlace,
): boolean {
  if (kind === 'excluded' || isNoise(text)) return false;
  if (form === 'task') return true;
  const label = labelOf(text);
  if (label !== undefined && label.rest !== '' && isRemark(label)) return false;
  if (isRequired(kind)) return true;
  if (kind === 'background') return false;
  if (isObligation(text) || isIdentified(text) || isUserStory(text) || isWholeScenario(text))
    return true;
  return kind === 'open' && (!named || isDemand(text));
}

/**
 * Returns whether a label marks its text as an explanation, as out of scope, or as data about the
 * document.
 */
export function isRemark(label: Label): boolean {
  return isExplaining(label.kind) || isMetadata(label);
}

function wordCount(text: string): number {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
  return unspaced ? Math.max(words.length, 3) : words.length;
}
