import type { ITrie } from 'cspell-trie-lib';
import { loadPeer } from '../../core/load-peer.js';
import { type DictionaryPackage, dictionaryPackage, parsed } from './dictionary-files.js';

/** Knows the words of a language. All words are in lower case. */
export interface Speller {
  readonly knows: (word: string) => boolean;
  /** Returns whether a word is one of software that is in no dictionary of the language. */
  readonly knowsAsTerm: (word: string) => boolean;
  /** Returns whether only another variant of the language spells a word so. */
  readonly isOtherVariant: (word: string) => boolean;
  /** Returns the right words for a common misspelling, else none. */
  readonly corrections: (word: string) => readonly string[];
  /** Returns words that differ by one letter. It computes for some milliseconds. */
  readonly near: (word: string) => readonly string[];
  /** The versions of all packages. Another version may judge otherwise. */
  readonly versions: string;
}

/** A variant of English. `en` accepts American and British spelling. */
export type SpellingLanguage = 'en' | 'en-US' | 'en-GB';
/** The variants of English that a {@link Speller} knows. */
export const spellingLanguages: readonly SpellingLanguage[] = ['en', 'en-US', 'en-GB'];

const american = '@cspell/dict-en_us';
const british = '@cspell/dict-en-gb-mit';
const misspellings = '@cspell/dict-en-common-misspellings';
const terms = '@cspell/dict-software-terms';
const peer = {
  feature: 'spelling',
  packages: ['cspell-trie-lib', american, british, misspellings, terms],
};

const listsOf: Readonly<Record<SpellingLanguage, readonly string[]>> = {
  en: ['en'],
  'en-US': ['en', 'en-us'],
  'en-GB': ['en', 'en-gb'],
};
/** The highest cost of one letter that is changed, missing or added, or of two that are swapped. */
const oneLetter = 110;
/** A search ends by itself. With a short limit, a busy computer would find less. */
const longestSearchMs = 60_000;
const search = {
  numSuggestions: 3,
  changeLimit: 1,
  includeTies: false,
  ignoreCase: true,
  timeout: longestSearchMs,
};

/** Loads the dictionaries of a language. @throws ReviewLoopError `peer_missing` */
export async function loadSpeller(language: SpellingLanguage): Promise<Speller> {
  return loadPeer(peer, async () => {
    const { decodeFile } = await import('cspell-trie-lib');
    const packages = await Promise.all(
      [american, british, misspellings, terms].map(dictionaryPackage),
    );
    const [us, gb, wrong, software] = packages as [
      DictionaryPackage,
      DictionaryPackage,
      DictionaryPackage,
      DictionaryPackage,
    ];
    const triesOf = async (from: DictionaryPackage): Promise<ITrie[]> =>
      Promise.all((await wordFiles(from)).map(async (path) => decodeFile(await from.read(path))));
    const [ofUs, ofGb] = await Promise.all([triesOf(us), triesOf(gb)]);
    const plain = [...(language === 'en-GB' ? [] : ofUs), ...(language === 'en-US' ? [] : ofGb)];
    const technical = await triesOf(software);
    const corrections = await correctionsOf(wrong, language);
    const knows = (word: string): boolean => has(plain, word);
    const knowsAsTerm = (word: string): boolean => !knows(word) && has(technical, word);
    return {
      knows,
      knowsAsTerm,
      isOtherVariant: (word) => language !== 'en' && !knows(word) && has([...ofUs, ...ofGb], word),
      corrections: (word) => corrections.get(word) ?? [],
      near: (word) => nearest(plain, word),
      versions: packages.map(({ version }) => version).join(),
    };
  });
}

function has(tries: readonly ITrie[], word: string): boolean {
  return tries.some((trie) => trie.hasWord(word, true) || trie.hasWord(word, false));
}

function nearest(tries: readonly ITrie[], word: string): string[] {
  const found = tries
    .flatMap((trie) => trie.suggestWithCost(word, search))
    .filter(({ cost }) => cost <= oneLetter)
    .sort((a, b) => a.cost - b.cost);
  return [...new Set(found.map((suggestion) => suggestion.word))].slice(0, search.numSuggestions);
}

/** Returns the paths of the words of a package. */
async function wordFiles({ read }: DictionaryPackage): Promise<string[]> {
  const about = parsed(await read('./cspell-ext.json')) as {
    dictionaryDefinitions: readonly { path: string }[];
  };
  return about.dictionaryDefinitions.map(({ path }) => path);
}

/** Returns the lists of common misspellings, with the right words. */
async function correctionsOf(
  { read }: DictionaryPackage,
  language: SpellingLanguage,
): Promise<Map<string, string[]>> {
  const corrections = new Map<string, string[]>();
  for (const name of listsOf[language]) {
    const { dictionaryDefinitions } = parsed(await read(`./dict/dict-${name}.json`)) as {
      dictionaryDefinitions: readonly Readonly<Record<string, readonly string[] | undefined>>[];
    };
    for (const { flagWords = [], suggestWords = [] } of dictionaryDefinitions)
      for (const line of [...flagWords, ...suggestWords]) {
        const [word = '', right = ''] = line.split('->');
        corrections.set(
          word.toLowerCase(),
          right.split(/,\s*/).filter((each) => each !== ''),
        );
      }
  }
  return corrections;
}
