import { plural } from '../../core/plural.js';
import { mapInTurns } from '../event-turns.js';
import { type PlainWord, plainWords } from './plain-words.js';
import type { Prose } from './prose.js';
import type { Speller } from './speller.js';

/** A misspelt word of a text. */
export interface Misspelt {
  readonly word: string;
  /** Where it stands, in order. */
  readonly starts: readonly number[];
  /** The words that may be meant. */
  readonly right: readonly string[];
  /** Whether it is surely wrong: a common misspelling, or a word that the user forbids. */
  readonly isSure: boolean;
}

/** The misspelt words of a text, and what was not judged. */
export interface Spelling {
  readonly misspelt: readonly Misspelt[];
  /** What was not judged. */
  readonly unread: readonly string[];
  /** How many words are unknown but resemble no known one. */
  readonly unknown: number;
  /** How many words were judged. */
  readonly wordsRead: number;
}

export interface WordJudge {
  readonly speller: Speller;
  /** The words that are right, in lower case. */
  readonly words: ReadonlySet<string>;
  /** The words that are wrong, in lower case. */
  readonly wrongWords: ReadonlySet<string>;
}

/** The share of unknown words from which on a text is in another language. */
const foreignShare = 0.4;
const fewestWords = { text: 5, passage: 6 };
/** The lengths between which an unknown word may be a slip of one letter. */
const [shortestSlip, longestSlip] = [6, 30];
/** Shorter words with a capital are names that may look like a misspelling. */
const longestName = 6;
const capital = /^\p{Lu}/u;
const endBefore = /(?:^|[.!?:|…]|\n[^\S\n]{0,40}[\n*+#>-])["'“‘([*_\s>#+-]{0,40}$/;
const prefixes =
  /^(?:un|re|sub|non|pre|de|micro|mis|over|under|multi|auto|inter|anti|super|mono|poly|mini|macro|meta|pseudo|semi|up|down|cross|post)(?=\p{L}{4})/u;
const suffixes = /(?<=\p{L}{4})(?:able|ness|izable|less|like|ish|ify|ified|ifier|ifiers)$/u;
const inflections = [/e?s$/, /s$/, /(?:ed|ers?|ing|y)$/, /(?<=e)(?:d|rs?)$/];
/** The shortest word that may be two words written as one, and the shortest part of it. */
const [shortestPair, shortestPart] = [8, 3];
const latin = /^\p{Script=Latin}/u;

/**
 * Finds the misspelt words of a text. `searches.left` is how many searches for right words are
 * allowed.
 */
export async function misspeltIn(
  prose: Prose,
  given: WordJudge,
  searches: { left: number },
): Promise<Spelling> {
  const judge = { ...given, speller: remembered(given.speller) };
  const words = plainWords(prose.text);
  if (isForeign(words, judge, fewestWords.text))
    return {
      misspelt: [],
      unread: [`${prose.file} seems to be in another language`],
      unknown: 0,
      wordsRead: 0,
    };
  const passages = passagesOf(words, prose.text);
  const kept = passages.filter((passage) => !isForeign(passage, judge, fewestWords.passage));
  const own = kept.flat();
  const unread: string[] = [];
  const left = passages.length - kept.length;
  if (left > 0) unread.push(`${prose.file}: ${plural(left, 'passage')} in another language`);
  const doubtful = placesOf(own, (word) => !isRight(word, judge));
  const judgeWord = wordJudge(prose, words, { ...judge, searches });
  const before = Math.min(0, searches.left);
  const judged = await mapInTurns([...doubtful], ([word, starts]) => judgeWord(word, starts));
  const omitted = before - searches.left;
  if (omitted > 0) unread.push(`${prose.file}: ${omitted} of too many unknown words`);
  const misspelt = judged.filter((each) => each !== undefined);
  return {
    misspelt,
    unread,
    unknown: doubtful.size - misspelt.length + own.filter(({ word }) => !latin.test(word)).length,
    wordsRead: own.length,
  };
}

/** Returns a function that tells whether a word that is not right is misspelt. */
function wordJudge(
  prose: Prose,
  words: readonly PlainWord[],
  judge: WordJudge & { readonly searches: { left: number } },
): (word: string, starts: readonly number[]) => Misspelt | undefined {
  const { speller, wrongWords, searches } = judge;
  const isElsewhere = usedElsewhere(prose, words);
  const slip = (word: string, starts: readonly number[]): Misspelt | undefined => {
    if (!speller.isOtherVariant(word) && (!mayBeSlip(word, judge) || isElsewhere(word)))
      return undefined;
    searches.left -= 1;
    const right = searches.left < 0 ? [] : speller.near(word);
    return right.length === 0 ? undefined : { word, starts, right, isSure: false };
  };
  return (word, starts) => {
    const right = speller.corrections(word);
    const capitals = starts.filter((start) => capital.test(prose.text.slice(start, start + 2)));
    const isShortName =
      word.length < longestName && capitals.some((start) => !beginsSentence(prose.text, start));
    if (wrongWords.has(word) || (right.length > 0 && !isShortName))
      return { word, starts, right, isSure: true };
    return capitals.length > 0 ? undefined : slip(word, starts);
  };
}

/** Returns a speller that looks up each word once. */
function remembered(speller: Speller): Speller {
  const known = new Map<string, boolean>();
  return {
    ...speller,
    knows: (word) => {
      const found = known.get(word) ?? speller.knows(word);
      known.set(word, found);
      return found;
    },
  };
}

/** Returns whether a sentence, a heading, an item or a cell begins at a place. */
function beginsSentence(text: string, start: number): boolean {
  const from = Math.max(0, start - 40);
  const before = text.slice(from, start);
  return (from > 0 && before.trim() === '') || endBefore.test(before);
}

/** Returns the words that stand between blank lines. */
function passagesOf(words: readonly PlainWord[], text: string): PlainWord[][] {
  const passages: PlainWord[][] = [[]];
  const ends = Array.from(text.matchAll(/\n[^\S\n]*\n/g), ({ index }) => index);
  let next = 0;
  for (const word of words) {
    if (word.start > (ends[next] ?? Number.POSITIVE_INFINITY)) {
      while (word.start > (ends[next] ?? Number.POSITIVE_INFINITY)) next += 1;
      passages.push([]);
    }
    passages.at(-1)?.push(word);
  }
  return passages;
}

/** Returns whether most words are unknown. Words with a capital may be names, and do not count. */
function isForeign(words: readonly PlainWord[], judge: WordJudge, fewest: number): boolean {
  const other = words.filter(({ word }) => !latin.test(word));
  if (lengthOf(other) > Math.max(fewest, lengthOf(words) * foreignShare)) return true;
  const seen = new Map<string, boolean>();
  let [all, unknown] = [0, 0];
  for (const { word } of words) {
    if (!latin.test(word) || word.length < 3 || capital.test(word)) continue;
    const plain = plainForm(word);
    const isKnown = seen.get(plain) ?? (isRight(plain, judge) || isCommonSlip(plain, judge));
    seen.set(plain, isKnown);
    all += 1;
    if (!isKnown) unknown += 1;
  }
  const different = [...seen.values()].filter((isKnown) => !isKnown).length;
  // one name that is used again and again makes no other language
  return all >= fewest && unknown > all * foreignShare && different > seen.size * foreignShare;
}

function lengthOf(words: readonly PlainWord[]): number {
  return words.reduce((length, { word }) => length + word.length, 0);
}

function isCommonSlip(word: string, { speller }: WordJudge): boolean {
  return speller.corrections(word).length > 0 || speller.isOtherVariant(word);
}

/** Returns the places of words in lower case. */
function placesOf(
  words: readonly PlainWord[],
  isWanted: (word: string) => boolean,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const { word, start } of words) {
    const plain = plainForm(word);
    const known = places.get(plain);
    if (known !== undefined) known.push(start);
    else if (latin.test(plain) && isWanted(plain)) places.set(plain, [start]);
  }
  return places;
}

function plainForm(word: string): string {
  return word.normalize('NFC').replaceAll('’', "'").replace(/'s?$/i, '').toLowerCase();
}

function isRight(word: string, { speller, words, wrongWords }: WordJudge): boolean {
  if (wrongWords.has(word)) return false;
  return words.has(word) || word.length < 3 || speller.knows(word) || speller.knowsAsTerm(word);
}

/** Returns whether an unknown word may be a slip, and is not made of known parts. */
function mayBeSlip(word: string, judge: WordJudge): boolean {
  if (word.length < shortestSlip || word.length > longestSlip) return false;
  const { speller } = judge;
  const isMade = (part: string): boolean =>
    part !== word && (speller.knows(part) || speller.knowsAsTerm(part));
  return !(
    isMade(word.replace(prefixes, '')) ||
    isMade(word.replace(suffixes, '')) ||
    inflections.some((end) => isMade(word.replace(end, ''))) ||
    isPair(word, isMade)
  );
}

/** Returns whether a word is two known words without a space, such as a new term. */
function isPair(word: string, isKnown: (part: string) => boolean): boolean {
  if (word.length < shortestPair) return false;
  for (let at = shortestPart; at <= word.length - shortestPart; at += 1)
    if (isKnown(word.slice(0, at)) && isKnown(word.slice(at))) return true;
  return false;
}

/** Returns whether the file uses a word in code, addresses or names too. Then it is one of its own. */
function usedElsewhere(
  { file, source }: Prose,
  words: readonly PlainWord[],
): (word: string) => boolean {
  const counted = new Map<string, number>();
  for (const [word] of `${file} ${source}`.toLowerCase().matchAll(/\p{L}[\p{L}\p{M}]*/gu))
    counted.set(word, (counted.get(word) ?? 0) + 1);
  const inText = placesOf(words, () => true);
  return (word) => (counted.get(word) ?? 0) > (inText.get(word)?.length ?? 0);
}
