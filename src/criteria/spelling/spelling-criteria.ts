import { type Artifacts, artifactsOf } from '../../core/artifact.js';
import type { CriterionResult } from '../../core/criterion.js';
import { hashText } from '../../core/hash.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  shareResult,
} from '../artifact-criterion.js';
import { fewOf } from '../few-of.js';
import { type SourceLines, sourceLines } from '../source-lines.js';
import { holdsProse, proseOf } from './all-prose.js';
import { type Misspelt, misspeltIn, type WordJudge } from './misspelt.js';
import type { Prose } from './prose.js';
import { loadSpeller, type SpellingLanguage, spellingLanguages } from './speller.js';

/** Options of {@link spellingCriteria}. */
export interface SpellingOptions {
  /** The language of the texts. `en` accepts American and British spelling. @default 'en' */
  readonly language?: SpellingLanguage | undefined;
  /** Words that are right, such as names. Case does not matter. @default [] */
  readonly words?: readonly string[] | undefined;
  /** Words that are wrong, though a dictionary has them. Case does not matter. @default [] */
  readonly wrongWords?: readonly string[] | undefined;
  /** How many misspelt words are listed. The result tells how many more there are. @default 100 */
  readonly maxFindings?: number | undefined;
}

/**
 * Creates the criterion for misspelt words in Markdown, plain texts and pages. Code, addresses,
 * paths and names in code are left out. Texts in another language are told as not checked. It reads
 * no configuration of the project, and comments switch nothing off.
 *
 * @throws ReviewLoopError `invalid_options`; `peer_missing` without the packages
 * @example
 * ```ts
 * const reviewers = await spellingCriteria({ words: ['reviewloop'] });
 * const pipeline = definePipeline({ produce: writeDocs, reviewers });
 * ```
 */
export async function spellingCriteria(
  options: SpellingOptions = {},
): Promise<ArtifactCriterion[]> {
  checkKeys('spellingCriteria', options, ['language', 'words', 'wrongWords', 'maxFindings']);
  const { language = 'en', words = [], wrongWords = [], maxFindings = 100 } = options;
  if (!spellingLanguages.includes(language))
    throw invalid('language', `one of ${spellingLanguages.join(', ')}`, language);
  checkWords('words', words);
  checkWords('wrongWords', wrongWords);
  checkWhole('maxFindings', maxFindings, 1);
  const speller = await loadSpeller(language);
  const judge = { speller, words: partsOf(words), wrongWords: partsOf(wrongWords) };
  const how = hashText(
    JSON.stringify([
      speller.versions,
      language,
      [...judge.words].sort(),
      [...judge.wrongWords].sort(),
      maxFindings,
    ]),
  );
  return [
    artifactCriterion({
      id: 'spelling',
      name: 'Words are spelt right',
      description: 'No word is misspelt',
      severity: 'minor',
      category: 'quality',
      version: `spelling/1/${how}`,
      scope: (output) => ({ artifacts: artifactsOf(output).filter(holdsProse) }),
      check: (output) => check(output, { judge, language, maxFindings }),
    }),
  ];
}

function checkWords(name: string, value: unknown): void {
  if (!Array.isArray(value) || !value.every((word: unknown) => isWord(word)))
    throw invalid(name, 'words, such as "reviewloop"', value);
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /\p{L}/u.test(value);
}

/** Returns the words in lower case. A name of several words counts as each of them. */
function partsOf(words: readonly string[]): Set<string> {
  return new Set(
    words.flatMap((word) =>
      word
        .normalize('NFC')
        .replaceAll('’', "'")
        .toLowerCase()
        .split(/[\s-]+/),
    ),
  );
}

interface Given {
  readonly judge: WordJudge;
  readonly language: SpellingLanguage;
  readonly maxFindings: number;
}

async function check(output: Artifacts, given: Given): Promise<CriterionResult> {
  const { findings, open, read, unknown } = await findingsIn(output, given);
  const left = open.length === 0 ? '' : `not checked: ${fewOf(open)}`;
  // a text that was not read is never told as passed
  if (findings.length === 0 && (left !== '' || read === 0))
    return {
      passed: false,
      score: 0,
      details: '',
      skipped: left === '' ? 'no text with words was found' : left,
    };
  const more = findings.length - given.maxFindings;
  const result = shareResult({
    judged: read,
    findings: findings.slice(0, given.maxFindings),
    passed: true,
    details: [
      `${plural(findings.length, 'misspelt word')} in ${plural(read, 'text')}`,
      ...(more > 0 ? [`${more} of them are not listed`] : []),
      ...(unknown > 0 ? [`${plural(unknown, 'unknown word')} not judged`] : []),
      ...(left === '' ? [] : [left]),
    ].join('; '),
    suggestedFix: 'Correct the words, or add them to the words that are right',
  });
  // remarks do not fail
  return { ...result, score: 1 };
}

/** The maximum number of searches for a right word. Each takes some milliseconds. */
const mostSearches = 500;

interface Judged {
  readonly findings: readonly Found[];
  readonly open: readonly string[];
  /** How many texts were judged. */
  readonly read: number;
  /** How many words are unknown, but resemble no known one. */
  readonly unknown: number;
}

async function findingsIn(output: Artifacts, { judge, language }: Given): Promise<Judged> {
  const { texts, unread } = await proseOf(output, language);
  const open = [...unread];
  const findings: Found[] = [];
  const searches = { left: mostSearches };
  let [read, unknown] = [0, 0];
  for (const prose of texts) {
    const spelling = await misspeltIn(prose, judge, searches);
    open.push(...spelling.unread);
    unknown += spelling.unknown;
    if (spelling.wordsRead > 0) read += 1;
    const lines = sourceLines(prose.source);
    findings.push(...spelling.misspelt.map((word) => findingOf(word, prose, lines)));
  }
  return { findings, open, read, unknown };
}

function findingOf(
  { word, starts, right, isSure }: Misspelt,
  { file, source }: Prose,
  { lineAt, quoteAt }: SourceLines,
): Found {
  const [first = 0] = starts;
  const line = lineAt(first);
  const others = [...new Set(starts.map(lineAt))].filter((each) => each !== line);
  const shown = source.slice(first, first + word.length);
  const also = others.length === 0 ? '' : `, also in line ${fewOf(others.map(String), ', ')}`;
  const evidence = cutAroundSecrets(quoteAt(first), 500);
  return {
    file,
    line,
    ...(evidence !== '' && { evidence }),
    description: `"${shown}" ${isSure ? 'is' : 'seems'} misspelt${also}`,
    suggestedFix: fixOf(right, isSure),
  };
}

function fixOf(right: readonly string[], isSure: boolean): string {
  if (right.length === 0) return 'Use another word';
  const write = `Write ${right.map((each) => `"${each}"`).join(' or ')}`;
  return isSure ? write : `${write}, or add the word to the words that are right`;
}
