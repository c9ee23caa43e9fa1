import { redactSecrets } from '../redact/secrets.js';
import { isStopWord, runsOf, stem } from '../text/words.js';

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
  return typeof description === 'string' || typeof prompt === 'string'
    ? [description, prompt, acceptanceCriteria]
    : undefined;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
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

/** What people write in any task. */
const taskWords = new Set('please make add create write build new'.split(' '));
/** Of the words of two letters, those that say something. */
const shortWords = new Set(['ui', 'ux', 'db', 'ai', 'js', 'ts', 'go']);

/** The distinct words of a text that say what it is about, as stems; what could be a part of a key is none. */
export function wordsIn(text: string): Set<string> {
  const words = new Set<string>();
  for (const { text: run, cut } of runsOf(text.normalize('NFKC').toLowerCase())) {
    if (cut) words.add(run);
    else for (const word of run.split(/['’.,]/)) if (isTelling(word)) words.add(stem(word));
  }
  return words;
}

function isTelling(word: string): boolean {
  if (word.length < 3) return shortWords.has(word);
  return (
    word.length <= 30 &&
    /^[\p{L}\p{M}]+\d{0,2}$/u.test(word) &&
    !isStopWord(word) &&
    !taskWords.has(word)
  );
}
