import { isImperative } from './imperative.js';
import { isBehaviour, isCapability, isObligation, isUserStory, unmarked } from './modality.js';
import { type SectionKind, sectionKind } from './sections.js';
import { isIdentified, isMetadata, isNoise, isPlaceholder, labelOf } from './shape.js';
import { isWholeScenario } from './steps.js';

/** Where a text stands. */
export interface Standing {
  readonly kind: SectionKind;
  /** Whether the document has a section that is named for its requirements: then lists elsewhere need the form of one. */
  readonly stated: boolean;
}

/** Whether a sentence of running text asks for something. */
export function asksAsSentence(text: string, { kind, stated }: Standing): boolean {
  if (kind === 'excluded' || kind === 'background' || isNoise(text) || isPlaceholder(text) || !isTelling(text)) return false;
  if (isObligation(text) || isUserStory(text)) return true;
  if (kind === 'loose') return false;
  if (kind === 'accepted' || (isIdentified(text) && wordCount(text) > 4) || isCapability(text)) return true;
  return (kind === 'asked' || !stated) && (isImperative(text) || isBehaviour(text));
}

/** Whether an item of a list asks for something. */
export function asksAsItem(text: string, { kind, stated, form, step }: Standing & { readonly form: 'bullet' | 'numbered' | 'task'; readonly step: boolean }): boolean {
  if (kind === 'excluded' || isNoise(text) || isPlaceholder(text)) return false;
  const task = form === 'task';
  const free = kind === 'asked' || kind === 'accepted';
  if (tellsByLabel(text, free) || (!task && !free && wordCount(text) < 4 && sectionKind(text) !== 'open')) return false;
  if (kind === 'background') return task && isImperative(text);
  if (free || step || task || hasForm(text)) return true;
  return kind !== 'loose' && (!stated || isDemand(text));
}

/** Whether a label says that the text explains, or tells something about the document. */
function tellsByLabel(text: string, free: boolean): boolean {
  const label = labelOf(text);
  if (label === undefined || label.rest === '') return false;
  if (label.kind === 'background' || label.kind === 'excluded') return true;
  return !free && isMetadata(label) && wordCount(label.rest) < 5 && !isObligation(label.rest);
}

/** Whether a text has the form of a requirement wherever it stands. */
function hasForm(text: string): boolean {
  return isObligation(text) || (isIdentified(text) && wordCount(text) > 4) || isUserStory(text) || isWholeScenario(text);
}

function isDemand(text: string): boolean {
  return isImperative(text) || isCapability(text) || isBehaviour(text) || isThirdPerson(text);
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** "Shows the total": what the result does. */
function isThirdPerson(text: string): boolean {
  const [first = '', second = ''] = unmarked(text).split(/\s+/, 2);
  return second !== '' && /^[A-Za-z]{3,}(?:s|es)$/.test(first) && isImperative(`${baseOf(first)} the`);
}

function baseOf(word: string): string {
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  return /(?:ss|sh|ch|x|z|o)es$/i.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Whether there are enough words to ask for anything ("Build it." is not). */
function isTelling(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return words.length >= 3 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
}
