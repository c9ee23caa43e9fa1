import { taskOfReader } from './aside.js';
import {
  isAction,
  isCapability,
  isCommand,
  isDecision,
  isOffer,
  isPlan,
  isUse,
  isUserStory,
  isWish,
  withoutName,
} from './demand.js';
import { asksInExplanation, tagged } from './explanation-rules.js';
import { insideOf } from './inside-of.js';
import { isIdentified, isInterface, isMetadata, isProperty, type Label, labelOf } from './label.js';
import { isNoise } from './noise.js';
import { isBinding, isObligation, plainStart, wordCount } from './obligation.js';
import { isStatement } from './plain-statement.js';
import { withoutProductName } from './product-name.js';
import { isExplaining } from './sections.js';
import { type Sentence, sentencesOf } from './sentences.js';
import type { TextPlace } from './text-place.js';

/** Returns whether a text is a command, or says what the result can do or does. */
export function isDemand(text: string): boolean {
  return isCommand(text) || isCapability(text) || isCapability(withoutName(plainStart(text)));
}

/** Returns a paragraph as one sentence. A gap of a template is none. */
export function wholeText(lines: readonly string[]): Sentence[] {
  const text = lines.join(' ');
  return isNoise(text) ? [] : [{ text, line: 0, endLine: lines.length - 1 }];
}

/** Matches a paragraph that answers why, or tells what somebody does: "He opens the form." */
const explainsWhole =
  /^[\s*_]{0,4}[Ww]hy\b[^?.]{2,100}\?|(?:^|[.!?:*] )(?:He|She) (?:\w+ly )?\w+s (?!(?:to|able)\b)/;

/** Returns the sentences of a paragraph that ask. */
export function askingSentences(
  lines: readonly string[],
  place: TextPlace,
  isGoal: (sentence: string) => boolean,
): Sentence[] {
  const text = lines.join(' ');
  const story = wholeStory(text);
  if (story !== undefined) return asksAsSentence(story, place) ? wholeText(lines) : [];
  if (explainsWhole.test(text)) return [];
  const inside = insideOf(sentencesOf(lines), place).filter((one) => !isGoal(one.text));
  const beside = inside.some((one) => asksAsSentence(one.text, place));
  return inside.filter((one) => asksAsSentence(one.text, { ...place, beside }));
}

/** Returns whether a sentence of running text states a requirement. */
function asksAsSentence(text: string, place: TextPlace): boolean {
  const { kind } = place;
  if (kind === 'excluded' || isNoise(text) || /^`[^`]*`$/.test(text)) return false;
  if (isExplaining(kind)) return asksInExplanation(text, place);
  if (wordCount(text) < (isCommand(text) ? 2 : 3)) return false;
  return asksAnywhere(text) || asksHere(withoutProductName(text, place.product), place);
}

/** Returns whether a text asks in every section that does not explain. */
export function asksAnywhere(text: string): boolean {
  const isNamed = isIdentified(text) && wordCount(text) > 4;
  const label = labelOf(text);
  if (label !== undefined && (isProperty(label) || isInterface(label))) return true;
  const told = taskOfReader(plainStart(text));
  if (told !== undefined && !namesWork(told)) return true;
  return isNamed || tagged.test(text) || isObligation(text) || isUserStory(text) || isWish(text);
}

function asksHere(text: string, place: TextPlace): boolean {
  const { kind, named } = place;
  if (kind === 'acceptance') return true;
  if (kind === 'description') return asksInDescription(text, place);
  const isPart = kind === 'requirements' || place.titled;
  if (isDemand(text)) return isPart || isCommand(text) || !(named || place.sectioned);
  return isDecided(text, place, isPart) || asksPlainly(text, place);
}

/** Returns whether a sentence says what is decided, in a part, or in a text without headings. */
function isDecided(text: string, { designed, sectioned }: TextPlace, isPart: boolean): boolean {
  if (!isPart) return !sectioned && isPlan(text);
  return isDecision(text, designed ? 'decisions' : 'anywhere') || (designed && isOffer(text));
}

/** Returns whether a sentence asks in a section that describes. Requirements elsewhere come first. */
function asksInDescription(text: string, { named, told }: TextPlace): boolean {
  if (isUse(text.replace(/\b(?:to ensure|so that|ensuring)\b.*/i, ''))) return true;
  return named ? told && isCommand(text) : isCommand(text) || isDecision(text) || isAction(text);
}

/** Matches labels of what the work is for. */
const aims = /\b(?:goals?|objectives?|tasks?|features?|scope|stor(?:y|ies))\b/i;

/** Matches a part that is wanted: "A button that clears the list", "The ability to sort". */
const wanted =
  /^(?:(?:the |an? )?(?:ability|option|possibility|way) (?:to|for|of)\b|(?:better )?support for\b|an? new [\p{L}\p{N}"“`]|an? (?:new )?(?:\w+ )?(?:button|toggle|switch|setting|option|flag|field|filter|menu|dropdown|list|page|dialog|shortcut|command|tab|view|column|parameter) (?:to|for|of|that|which|with|where|in|on)\b)/iu;

/** Returns whether a label of a goal says what to do: "**Goal**: To read the tide every hour". */
function isAim({ name, rest }: Label): boolean {
  const [, aimed] = /^to (?=[a-z])(.*)$/i.exec(rest) ?? [];
  return aims.test(name) && aimed !== undefined && isCommand(aimed) && !namesWork(aimed);
}

/** Returns whether a label decides that its text asks, or `undefined` if it does not decide. */
function asksByLabel(
  label: Label,
  { kind, formal }: Pick<TextPlace, 'kind' | 'formal'>,
): boolean | undefined {
  if (isAim(label)) return true;
  if (label.kind === 'open' && kind === 'requirements' && wordCount(label.rest) > 2) return !formal;
  return label.kind !== 'requirements' || aims.test(label.name) ? false : undefined;
}

/** Returns whether a sentence without words that ask describes the result. */
function asksPlainly(
  text: string,
  { kind, titled, beside, formal, addressed, designed }: TextPlace,
): boolean {
  const label = labelOf(text);
  const said = label === undefined ? undefined : asksByLabel(label, { kind, formal });
  if (said !== undefined || formal) return said ?? false;
  if (kind === 'requirements' && wanted.test(plainStart(text))) return true;
  const isPart = (!addressed || designed) && (titled || beside === true);
  return (kind === 'requirements' || isPart) && isStatement(text);
}

const making =
  /^(?:please )?(?:(?:build|create|design|write|draft|develop|implement|prepare|produce|generate|plan)\s+(?:me |us )?(?:an?|the|our|my|this|it)|make\s+(?:me |us )?(?:an?|it\W*$)|(?:i|we) (?:need|want|would like) an?)\b/i;

/** Matches the words before the work: "The goal of this task is to". */
const aim =
  /^(?:the|our|your) (?:main )?(?:goal|task|objective|aim|purpose)(?: of [^,.;:]{1,60}?)? is to /i;

/**
 * Returns whether a command only names the work: "Design a login form". A command that describes
 * the result is a requirement: "Design a form that works without a mouse", "Make the form blue".
 */
export function namesWork(text: string): boolean {
  const detail =
    /\b(?:that|which|who|where|when|with|without|so|using|must|should|each|every|within|least|most|only|not|if|from|\d+)\b/i;
  return (
    making.test(plainStart(text).replace(aim, '')) && !detail.test(text) && !/[`"“]/.test(text)
  );
}

/** Matches a label that says when a part is built: "Week 1: Build the form". */
const isDate = /^\w+ \d/;

/**
 * Returns whether a label marks its text as an explanation, as out of scope, or as data about the
 * document.
 */
export function isRemark(label: Label): boolean {
  if (isProperty(label)) return false;
  if (label.kind === 'excluded' || label.kind === 'background') return true;
  if (/^(?:(?:user |business |key )?benefits?|value|reasons?)$/i.test(label.name)) return true;
  const binds =
    isBinding(label.rest, false) ||
    isCapability(label.rest) ||
    (isDate.test(label.name) && isCommand(label.rest));
  return (label.kind === 'unclear' || isMetadata(label)) && !binds;
}

/** Returns a text without its label if it is exactly one user story, otherwise `undefined`. */
function wholeStory(text: string): string | undefined {
  const story = labelOf(text)?.rest ?? text;
  return isUserStory(story) && !/\.\s+\S/.test(text) ? story : undefined;
}
