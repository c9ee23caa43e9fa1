import { redactSecrets } from './lesson-secrets.js';

/** How much of a task is looked at. */
const longestTask = 20_000;
const deepest = 10;
const mostValues = 5000;

/** One line of a text as it may be kept: without secrets and control characters, and cut. */
export function keepable(text: string, most: number): string {
  const folded = redactSecrets(text)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return cut(redactSecrets(folded), most);
}

/** A text of at most `most` characters, cut between two of them. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return most < 1 ? '' : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** What a task says: a text itself, of a request its description, prompt and acceptance criteria, of other data all texts in it. */
export function taskTextOf(task: unknown): string {
  const texts: string[] = [];
  gather(described(task) ?? task, { texts, left: mostValues, characters: longestTask }, 0);
  return texts.join('\n').slice(0, longestTask);
}

function described(task: unknown): unknown {
  const { task: inner } = membersOf(membersOf(task)['context']);
  const { description, prompt, acceptanceCriteria } = membersOf(inner);
  return typeof description === 'string' || typeof prompt === 'string' ? [description, prompt, acceptanceCriteria] : undefined;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

interface Gathering {
  readonly texts: string[];
  left: number;
  characters: number;
}

function gather(value: unknown, into: Gathering, depth: number): void {
  into.left -= 1;
  if (depth > deepest || into.left < 0 || into.characters <= 0) return;
  if (typeof value === 'string') {
    into.texts.push(value.slice(0, into.characters));
    into.characters -= value.length;
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) gather(member, into, depth + 1);
  }
}

const stopWords = new Set(
  'the and for with from that this these those are was were has have had not but all any can could should must will would may might into over under than then when where which who what how why use using used via per etc our your his her its their you they them please make add create write build new'.split(
    ' ',
  ),
);
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Of the words of two letters, those that say something. */
const shortWords = new Set(['ui', 'ux', 'db', 'ai', 'js', 'ts', 'go']);

/** The distinct words of a text that say what it is about; what could be a part of a key is none. */
export function wordsIn(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (unspaced.test(run)) for (const pair of pairsOf(run)) words.add(pair);
    else if (isTelling(run)) words.add(run.length > 4 ? run.replace(/(?<!s)s$/, '') : run);
  }
  return words;
}

function isTelling(word: string): boolean {
  if (word.length < 3) return shortWords.has(word);
  return word.length <= 30 && /^[\p{L}\p{M}]+\d{0,2}$/u.test(word) && !stopWords.has(word);
}

/** Scripts without spaces are compared by pairs of characters. */
function pairsOf(run: string): string[] {
  const characters = [...run].slice(0, 1000);
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
}
