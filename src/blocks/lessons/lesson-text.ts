import { memberOf } from '../../core/json.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { isStopWord, runsOf, stem } from '../../core/text/words.js';

const maxTaskCharacters = 20_000;
const maxDepth = 10;
const maxValues = 5000;

/** The text is on one line, without secrets and control characters. */
export function keepable(text: string, most: number): string {
  const folded = redactSecrets(text)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return cut(redactSecrets(folded), most);
}

/** Splits no surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return most < 1 ? '' : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Description, prompt and acceptance criteria of an agent request, all texts in other data. */
export function taskTextOf(task: unknown): string {
  const texts: string[] = [];
  const limits = { left: maxValues, characters: maxTaskCharacters };
  collectTexts(requestTexts(task) ?? task, { texts, ...limits }, 0);
  return texts.join('\n').slice(0, maxTaskCharacters);
}

function requestTexts(task: unknown): unknown {
  const inner = memberOf(memberOf(task, 'context'), 'task');
  const [description, prompt, criteria] = ['description', 'prompt', 'acceptanceCriteria'].map(
    (name) => memberOf(inner, name),
  );
  return typeof description === 'string' || typeof prompt === 'string'
    ? [description, prompt, criteria]
    : undefined;
}

interface TextCollection {
  readonly texts: string[];
  left: number;
  characters: number;
}

function collectTexts(value: unknown, into: TextCollection, depth: number): void {
  into.left -= 1;
  if (depth > maxDepth || into.left < 0 || into.characters <= 0) return;
  if (typeof value === 'string') {
    into.texts.push(value.slice(0, into.characters));
    into.characters -= value.length;
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, into, depth + 1);
  }
}

const taskWords = new Set('please make add create write build new'.split(' '));
const shortWords = new Set(['ui', 'ux', 'db', 'ai', 'js', 'ts', 'go']);

/** The stems of the meaningful words; parts of keys do not count as words. */
export function wordsIn(text: string): Set<string> {
  const words = new Set<string>();
  for (const { text: run, cut } of runsOf(text.normalize('NFKC').toLowerCase())) {
    if (cut) words.add(run);
    else for (const word of run.split(/['’.,]/)) if (isMeaningful(word)) words.add(stem(word));
  }
  return words;
}

function isMeaningful(word: string): boolean {
  if (word.length < 3) return shortWords.has(word);
  return (
    word.length <= 30 &&
    /^[\p{L}\p{M}]+\d{0,2}$/u.test(word) &&
    !isStopWord(word) &&
    !taskWords.has(word)
  );
}
