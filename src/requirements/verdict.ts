import { isForeign } from './foreign.js';
import { isImperative } from './imperative.js';
import {
  isBehaviour,
  isCapability,
  isObligation,
  isPromise,
  isUserStory,
  unmarked,
  wishedVerb,
} from './modality.js';
import { isBinding } from './normative.js';
import type { Reading } from './reading.js';
import { type SectionKind, sectionKind } from './sections.js';
import {
  isIdentified,
  isMetadata,
  isNoise,
  isPlaceholder,
  isRank,
  isReference,
  type Label,
  labelOf,
} from './shape.js';
import { isWholeScenario } from './steps.js';

/** Where a text stands. */
export interface Standing {
  /** `bound` is a part of a document that states its requirements with the words of RFC 2119. */
  readonly kind: SectionKind | 'bound';
  /** Whether the document has a section that is named for its requirements: then lists elsewhere need the form of one. */
  readonly stated: boolean;
}

/** Where a text stands in a document that may be bound to the words of RFC 2119. */
export function standingOf({
  place,
  normative,
}: Pick<Reading, 'place' | 'normative'>): Standing['kind'] {
  const { kind, explains } = place;
  return normative && (kind === 'open' || kind === 'loose' || (kind === 'background' && !explains))
    ? 'bound'
    : kind;
}

/** Whether a sentence of running text asks for something. */
export function asksAsSentence(text: string, { kind, stated }: Standing): boolean {
  if (kind === 'background' || saysNothing(text, kind) || !isTelling(text)) return false;
  if (kind === 'bound') return isBinding(text);
  if (isObligation(text) || isUserStory(text)) return true;
  if (kind === 'loose') return false;
  if (kind === 'accepted' || isStatedById(text) || isCapability(text)) return true;
  const demands = isImperative(unlabelled(text)) || isBehaviour(text) || isWish(text);
  return kind === 'asked' ? demands || isPromise(text) || isGerund(text) : !stated && demands;
}

/** "We'd like to add a setting", but not "We'd like to thank ...". */
function isWish(text: string): boolean {
  const verb = wishedVerb(text);
  return (
    verb !== undefined &&
    !/^(?:ask|discuss|explain|explore|introduce|invite|join|know|learn|note|propose|report|research|say|share|suggest|thank|understand)$/i.test(
      verb,
    ) &&
    isImperative(`${verb} the`)
  );
}

/** "Adding a setting to the menu": what would be done. */
function isGerund(text: string): boolean {
  const [, stem = '', last = ''] = /^(\p{L}+?(\p{L}))ing\s/u.exec(unmarked(text)) ?? [];
  if (
    stem === '' ||
    /\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|does|do|did)\b/i.test(text) ||
    /^(?:us|includ|follow|regard|accord|depend|assum|consider|concern|hav|be)$/i.test(stem)
  )
    return false;
  return [stem, `${stem}e`, ...(stem.at(-2) === last ? [stem.slice(0, -1)] : [])].some((base) =>
    isImperative(`${base} the`),
  );
}

/** How an item stands in its list. */
interface ItemStanding extends Standing {
  readonly form: 'bullet' | 'numbered' | 'task';
  readonly step: boolean;
}

/** Whether an item of a list asks for something. */
export function asksAsItem(text: string, { kind, stated, form, step }: ItemStanding): boolean {
  const task = form === 'task';
  const free = kind === 'asked' || kind === 'accepted';
  if (saysNothing(text, kind) || tellsByLabel(text, { free, task })) return false;
  if (kind === 'background') return task && isImperative(text);
  if (free || step || task) return true;
  return !isNameOfPart(text) && asksByForm(text, { kind, stated });
}

function asksByForm(text: string, { kind, stated }: Standing): boolean {
  if (isReference(text)) return false;
  if (kind === 'bound') return isBinding(text) || isStatedById(text);
  return hasForm(text) || (kind === 'open' && !(stated && isDescription(text)));
}

/** Whether a text has nothing of a demand; of languages whose verbs the rules do not know nobody can tell. */
function isDescription(text: string): boolean {
  return !isDemand(text) && !isForeign(text);
}

function saysNothing(text: string, kind: Standing['kind']): boolean {
  return kind === 'excluded' || isNoise(text) || isPlaceholder(text);
}

/** "Open questions", without more. */
function isNameOfPart(text: string): boolean {
  return wordCount(text) < 4 && sectionKind(text) !== 'open';
}

function isStatedById(text: string): boolean {
  return isIdentified(text) && wordCount(text) > 4;
}

/** "Phase 2 (Setup)": when something was or will be done. */
const stage =
  /^[*_]*(?:phase|sprint|week|month|quarter|day|stage|milestone|iteration|q)\s?\d[^:：]{0,60}[:：][*_]*\s*/i;

/** Whether a label says that the text explains, or tells something about the document. */
function tellsByLabel(
  text: string,
  { free, task }: { readonly free: boolean; readonly task: boolean },
): boolean {
  if (/^[*_]*out of scope\b/i.test(text)) return true;
  const staged = text.slice(stage.exec(text)?.[0].length ?? 0);
  if (staged !== text) return !isImperative(staged) && !isObligation(staged);
  const label = labelOf(text);
  if (label === undefined || label.rest === '' || (task && isCommand(label))) return false;
  if (label.kind === 'background' || label.kind === 'excluded' || isRank(label)) return true;
  return !free && isMetadata(label) && wordCount(label.rest) < 5 && !isObligation(label.rest);
}

/** "[ ] Install new packages: a, b" names no part of a document. */
function isCommand({ form, name }: Label): boolean {
  return form === 'plain' && wordCount(name) > 1 && isImperative(name);
}

/** Whether a text has the form of a requirement wherever it stands. */
function hasForm(text: string): boolean {
  return isObligation(text) || isStatedById(text) || isUserStory(text) || isWholeScenario(text);
}

/** Whether a text commands, or says what the result can or does. A label before the words ("**Release**: Build both packages") says nothing about their form. */
export function isDemand(text: string): boolean {
  const said = unlabelled(text);
  return isImperative(said) || isCapability(text) || isBehaviour(said) || isThirdPerson(said);
}

const labelledForm = /^(?:\*\*|__)[^*_]{1,80}(?:[:：](?:\*\*|__)|(?:\*\*|__)\s*[:：–—-])\s*/u;

function unlabelled(text: string): string {
  return text.slice(labelledForm.exec(text)?.[0].length ?? 0);
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** "Shows the total": what the result does. */
function isThirdPerson(text: string): boolean {
  const [first = '', second = ''] = unmarked(text).split(/\s+/, 2);
  return (
    second !== '' && /^[A-Za-z]{3,}(?:s|es)$/.test(first) && isImperative(`${baseOf(first)} the`)
  );
}

function baseOf(word: string): string {
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  return /(?:ss|sh|ch|x|z|o)es$/i.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Whether there are enough words to ask for anything ("Build it." is not). */
function isTelling(text: string): boolean {
  if (/^[^:]{1,40}:\s*(?:`[^`]{1,200}`[\s,.;]*(?:and\s+)?)+$/.test(text)) return false;
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return words.length >= 3 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
}
