import { isAside } from './aside.js';
import {
  isAction,
  isCapability,
  isCommand,
  isDecision,
  isUserStory,
  isWish,
  withoutName,
} from './demand.js';
import type { DocumentTraits } from './document-traits.js';
import { isIdentified, isMetadata, isProperty, type Label, labelOf } from './label.js';
import type { MarkdownItem } from './markdown.js';
import { isNoise, isQuestion } from './noise.js';
import { isBinding, isObligation, plainStart } from './obligation.js';
import { isWholeScenario } from './scenario-steps.js';
import { isExplaining, type SectionKind } from './sections.js';
import { type Sentence, sentencesOf } from './sentences.js';

const capital = /\b(?:MUST|SHALL|SHOULD)\b/;

/** The place of a text in its document. */
export interface TextPlace extends DocumentTraits {
  readonly kind: SectionKind;
  /** Whether the text is below a heading or label other than the title. */
  readonly titled: boolean;
  /** Whether the text is below a label, or notes on a part, which name a part of its section. */
  readonly labelled: boolean;
  /** Whether the text is below the heading "Description", where a ticket says what to do. */
  readonly told: boolean;
  /** Whether the text is below a heading for decisions. */
  readonly decided: boolean;
  /** Whether the line above the list asks for answers: "The report must answer:". */
  readonly answers?: boolean;
  /** Whether another sentence of the paragraph asks. */
  readonly beside?: boolean;
}

/** Returns whether a text is a command, or says what the result can do or does. */
export function isDemand(text: string): boolean {
  return isCommand(text) || isCapability(text) || isCapability(withoutName(plainStart(text)));
}

function isOutside(text: string, { decided, people }: TextPlace): boolean {
  const names = plainStart(text).match(/\p{Lu}[\p{L}-]+/gu) ?? [];
  const isWork = names.some((name) => people.has(name)) && !isCommand(text);
  if (isWork || isNoise(text)) return true;
  const decides = decided && isDecision(text, 'decisions');
  return isAside(text) && !decides && !capital.test(text);
}

/**
 * Returns the sentences about the result. One that begins with a pronoun is about what the sentence
 * before it is about.
 */
function insideOf(sentences: readonly Sentence[], place: TextPlace): Sentence[] {
  let outside = false;
  return sentences.filter(({ text }) => {
    const refers = pronoun.test(plainStart(text)) && !capital.test(text) && !isWish(text);
    const goesOn = outside && !text.startsWith('(') && refers;
    outside = goesOn || isOutside(text, place);
    return !outside;
  });
}

/** Returns the sentences of a paragraph that ask. */
export function askingSentences(
  lines: readonly string[],
  place: TextPlace,
  isGoal: (sentence: string) => boolean,
): Sentence[] {
  const text = lines.join(' ');
  const story = wholeStory(text);
  if (story !== undefined)
    return asksAsSentence(story, place) ? [{ text, line: 0, endLine: lines.length - 1 }] : [];
  const inside = insideOf(sentencesOf(lines), place).filter((one) => !isGoal(one.text));
  const beside = inside.some((one) => asksAsSentence(one.text, place));
  return inside.filter((one) => asksAsSentence(one.text, { ...place, beside }));
}

const pronoun =
  /^(?:they|he|she|it(?! (?:must|shall|should|has to|needs to)\b)|this|that|these|those|their|his|her|one of them)\b|\b(?:he|she)\b/i;

/** Returns whether a sentence of running text states a requirement. */
function asksAsSentence(text: string, place: TextPlace): boolean {
  const { kind } = place;
  if (kind === 'excluded' || isNoise(text) || /^`[^`]*`$/.test(text)) return false;
  if (isExplaining(kind)) return asksInExplanation(text, place);
  if (wordCount(text) < (isCommand(text) ? 2 : 3)) return false;
  return asksAnywhere(text) || asksHere(text, place);
}

/** Returns whether a text asks although its section explains, or may be a part of the product. */
function asksInExplanation(text: string, place: TextPlace): boolean {
  if (isUserStory(text) || isBinding(text, place.kind === 'background' && !isIdentified(text)))
    return true;
  const says = tagged.test(text) || isCapability(text);
  return place.kind === 'unclear' && says && !isOutside(text, place);
}

/** Matches a tag for the strength of an item: "[optional] sort by name". */
const tagged = /^[[(](?:required|mandatory|optional|must|should|could|bonus)[\])]\s+\S/i;

/** Returns whether a text asks in every section that does not explain. */
function asksAnywhere(text: string): boolean {
  const isNamed = isIdentified(text) && wordCount(text) > 4;
  const label = labelOf(text);
  if (label !== undefined && isProperty(label)) return true;
  return isNamed || tagged.test(text) || isObligation(text) || isUserStory(text) || isWish(text);
}

function asksHere(text: string, place: TextPlace): boolean {
  const { kind, named } = place;
  if (kind === 'acceptance') return true;
  if (kind === 'description') return asksInDescription(text, place);
  const isPart = kind === 'requirements' || place.titled;
  if (isDemand(text)) return isPart || isCommand(text) || !(named || place.sectioned);
  const decides = isDecision(text, place.decided ? 'decisions' : 'anywhere');
  return (isPart && decides) || asksPlainly(text, place);
}

/** Returns whether a sentence asks in a section that describes. Requirements elsewhere come first. */
function asksInDescription(text: string, { named, told }: TextPlace): boolean {
  return named ? told && isCommand(text) : isCommand(text) || isDecision(text);
}

/** Matches labels of what the work is for. */
const aims = /\b(?:goals?|objectives?|tasks?|features?|scope|stor(?:y|ies))\b/i;

/** Returns whether a sentence without words that ask describes the result. */
function asksPlainly(text: string, { kind, titled, beside, formal }: TextPlace): boolean {
  const label = labelOf(text);
  if (label !== undefined && (label.kind !== 'requirements' || aims.test(label.name))) return false;
  if (formal) return false;
  if (kind === 'requirements') return describes.test(plainStart(text));
  return (titled || beside === true) && isStatement(text);
}

/** Matches a sentence about the result in a section for requirements: "The list opens on a click". */
const describes =
  /^(?!(?:this|these|note|see|there(?! (?:will|must|shall) be\b)|(?:here|below|above) (?:is|are|you)|because|since|currently|today|no [^.]{0,60}\b(?:required|needed|necessary)|the (?:following|above|rest))\b)(?!given\b[^,]*:$)(?!.*\b(?:was|were|had|need|we|i (?:am|have|think|will|would|can)|you|us|me|often|usually|sometimes|mostly|normally|requirements?|criteria)\b)/i;

/** Returns whether an item is a statement and not only a name: "Broken files are moved". */
function isStatement(text: string): boolean {
  const said = plainStart(text);
  const verb =
    /\b(?:is|are|has|have|can|cannot|will|may|never|always|does|do|not)\b|\b[a-z]+(?<!us|ss|is)s (?:the|an?|all|each|every|any|only|its|no|nothing|at|to|up|by|with|into|in|on|for|when|from|as|as if|\d)(?!\w)|^(?:the|an?|each|every|its|this) (?:[\w-]+ ){1,3}?[a-z]{3,}(?<!us|ss|is)s [a-z]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u;
  return describes.test(said) && (verb.test(said) || (said.endsWith('.') && wordCount(said) > 3));
}

const making =
  /^(?:please )?(?:(?:build|create|design|write|draft|develop|implement|prepare|produce|generate|plan)\s+(?:me |us )?(?:an?|the|our|my|this|it)|make\s+(?:me |us )?(?:an?|it\W*$)|(?:i|we) (?:need|want|would like) an?)\b/i;

/**
 * Returns whether a command only names the work: "Design a login form". A command that describes
 * the result is a requirement: "Design a form that works without a mouse", "Make the form blue".
 */
export function namesWork(text: string): boolean {
  const detail =
    /\b(?:that|which|who|where|when|with|without|so|using|must|should|each|every|within|least|most|only|not|if|from|\d+)\b/i;
  return making.test(plainStart(text)) && !detail.test(text) && !/[`"“]/.test(text);
}

/** Returns whether an item of a list states a requirement. */
export function asksAsItem(text: string, form: MarkdownItem['form'], place: TextPlace): boolean {
  const { kind } = place;
  if (place.answers === true && kind !== 'excluded' && isQuestion(text)) return true;
  if (kind === 'excluded' || isNoise(text)) return false;
  if (form === 'task') return true;
  if (place.answers !== true && isAbout(text)) return false;
  if (isExplaining(kind)) return asksInExplanation(text, place);
  if (kind === 'acceptance') return true;
  if (insideOf(sentencesOf([text]), place).length === 0) return false;
  return kind === 'requirements' || asksAnywhere(text) || itemAsksHere(text, place);
}

/** Returns whether an item names a part and says what it is: "**Store**: one table per year". */
function isPart(text: string): boolean {
  const said = /^(?:\*\*|__)\p{L}/u.test(text) ? labelOf(text)?.rest : undefined;
  return said !== undefined && said !== '' && !/^an? [^.;]*$/i.test(said);
}

/** Returns whether an item is about the document or explains: "**Status**: draft", "Author:". */
function isAbout(text: string): boolean {
  const label = labelOf(text);
  if (label === undefined) return false;
  return label.rest === '' ? isMetadata(label) : isRemark(label);
}

/** Returns whether an item names a part in several words: "a side bar with all saved filters". */
function namesPart(text: string): boolean {
  const said = /^(?:\*\*|__)\p{L}/u.test(text) ? labelOf(text)?.rest : undefined;
  return wordCount(text) > 3 && !/^an? [^.;]*$/i.test(said ?? '');
}

/** Matches an item that only names code, quotes, or is a question: "`run` (old)", "How to run". */
const names = /^(?:`[^`]+`(?: \([^()]*\))?$|["“][^"”]+["”]$|how to\b)/i;

function itemAsksHere(text: string, place: TextPlace): boolean {
  const { kind, named, titled } = place;
  if (isIdentified(text) || isWholeScenario(text)) return true;
  if (kind === 'description') return itemAsksInDescription(text, place);
  if (isDemand(text) || (titled && (isStatement(text) || isPart(text)))) return true;
  if (named && !(titled && namesPart(text))) return false;
  return !(titled && names.test(text));
}

/** Returns whether an item of a section that describes names a part, or commands. */
function itemAsksInDescription(text: string, { named, labelled }: TextPlace): boolean {
  if (isPart(text)) return true;
  return (labelled || !named) && (isCommand(text) || isAction(text));
}

/** Returns whether an item only leads to the list below it: it neither commands nor asks. */
export function onlyLeads(
  lines: readonly string[],
  form: MarkdownItem['form'],
  place: TextPlace,
): boolean {
  if (form === 'task' || isCommand(lines.join(' '))) return false;
  const before = sentencesOf(lines).slice(0, -1);
  return !before.some(({ text }) => asksAsItem(text, form, place));
}

/**
 * Returns whether a label marks its text as an explanation, as out of scope, or as data about the
 * document.
 */
export function isRemark(label: Label): boolean {
  if (isProperty(label)) return false;
  if (label.kind === 'excluded' || label.kind === 'background') return true;
  const binds = isBinding(label.rest, false) || isCapability(label.rest);
  return (label.kind === 'unclear' || isMetadata(label)) && !binds;
}

/** Returns a text without its label if it is exactly one user story, otherwise `undefined`. */
function wholeStory(text: string): string | undefined {
  const story = labelOf(text)?.rest ?? text;
  return isUserStory(story) && !/\.\s+\S/.test(text) ? story : undefined;
}

/** Returns the number of words of a text. */
export function wordCount(text: string): number {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
  return unspaced ? Math.max(words.length, 3) : words.length;
}
