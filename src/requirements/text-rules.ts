import { isCapability, isCommand, isUserStory } from './demand.js';
import type { DocumentTraits } from './document-traits.js';
import { isIdentified, isMetadata, type Label, labelOf } from './label.js';
import type { MarkdownItem } from './markdown.js';
import { isNoise } from './noise.js';
import { isBinding, isObligation, plainStart } from './obligation.js';
import { isWholeScenario } from './scenario-steps.js';
import { isExplaining, isRequired, type SectionKind } from './sections.js';

/** The place of a text in its document. */
export interface TextPlace extends DocumentTraits {
  readonly kind: SectionKind;
}

/** Returns whether a text is a command, or says what the result can do or does. */
export function isDemand(text: string): boolean {
  return isCommand(text) || isCapability(text);
}

/** Returns whether a sentence of running text states a requirement. */
export function asksAsSentence(text: string, { kind, named, obliges }: TextPlace): boolean {
  if (kind === 'excluded' || isNoise(text)) return false;
  if (isExplaining(kind)) return isBinding(text, kind === 'background');
  if (wordCount(text) < (isCommand(text) ? 2 : 3)) return false;
  return isObligation(text) || isUserStory(text) || asksByKind(text, { kind, named, obliges });
}

function asksByKind(text: string, { kind, named, obliges }: TextPlace): boolean {
  if (kind === 'description') return !named && isCommand(text);
  if (kind === 'acceptance' || (isIdentified(text) && wordCount(text) > 4)) return true;
  if (kind !== 'requirements') return named ? isCommand(text) : isDemand(text);
  const isPlain = !obliges && labelOf(text) === undefined;
  return isDemand(text) || (isPlain && describes.test(plainStart(text)));
}

/** Matches a sentence about the result in a section for requirements: "The list opens on a click". */
const describes =
  /^(?!(?:this|these|note|see|there|here|below|above|because|since|currently|today|the (?:following|above|rest))\b)(?!.*\b(?:was|were|had|need|we|i|you|requirements?|criteria)\b)/i;

const making =
  /^(?:please )?(?:(?:build|create|design|write|draft|develop|implement|prepare|produce|generate|plan)\s+(?:me |us )?(?:an?|the|our|my|this|it)|make\s+(?:me |us )?(?:an?|it\W*$)|(?:i|we) (?:need|want|would like) an?)\b/i;

/**
 * Returns whether a command only names the work: "Design a login form". A command that describes
 * the result is a requirement: "Design a form that works without a mouse", "Make the form blue".
 */
export function namesWork(text: string): boolean {
  const detail =
    /\b(?:that|which|who|where|when|with|without|so|using|must|should|each|every|within|least|most|only|not|if|from|\d+)\b/i;
  return making.test(plainStart(text)) && !detail.test(text);
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
  if (isExplaining(kind)) return isBinding(text, kind === 'background');
  if (isObligation(text) || isIdentified(text) || isUserStory(text) || isWholeScenario(text))
    return true;
  if (kind === 'description') return !named && isCommand(text);
  return !named || isDemand(text);
}

/**
 * Returns whether a label marks its text as an explanation, as out of scope, or as data about the
 * document.
 */
export function isRemark(label: Label): boolean {
  return isExplaining(label.kind) || isMetadata(label);
}

/** Returns a text without its label if it is exactly one user story, otherwise `undefined`. */
export function wholeStory(text: string): string | undefined {
  const story = labelOf(text)?.rest ?? text;
  return isUserStory(story) && !/\.\s+\S/.test(text) ? story : undefined;
}

function wordCount(text: string): number {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
  return unspaced ? Math.max(words.length, 3) : words.length;
}
