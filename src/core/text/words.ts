const stopWords = new Set(
  (
    'a an the this that these those it its they them their there here he she we you i my ' +
    'our your his her me us and or but nor so if then else than when while where which who ' +
    'whom whose what how why of to in on at by for with from as into onto over under up ' +
    'down out off about between through during before after is are was were be been being ' +
    'am do does did done doing have has had having can could will would may might shall ' +
    'should must need needs require requires required not no yes any all each every some ' +
    'such same both either neither only just also too very more most other user users able ' +
    'via per etc using use used allow allows provide provides support supports system'
  ).split(' '),
);

/** Created on first use, because creating it costs as much as loading half of this library. */
let segmenter: Intl.Segmenter | undefined;
const longestRun = 10_000;
/** Scripts that are written without spaces. Only they need the segmenter, which is slow. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export interface Word {
  readonly stem: string;
  readonly offset: number;
  readonly end: number;
}

export interface Run {
  readonly text: string;
  readonly offset: number;
  /** Whether the segmenter cut it out of a script without spaces. */
  readonly cut: boolean;
}

/** Scripts without spaces are returned word by word. */
export function* runsOf(text: string): Generator<Run> {
  for (const { 0: run, index } of text.matchAll(
    /[\p{L}\p{M}\p{N}]+(?:['’.,][\p{L}\p{M}\p{N}]+)*/gu,
  )) {
    if (!unspaced.test(run)) {
      yield { text: run, offset: index, cut: false };
      continue;
    }
    segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
    for (let start = 0; start < run.length; start += longestRun) {
      for (const part of segmenter.segment(run.slice(start, start + longestRun)))
        yield { text: part.segment, offset: index + start + part.index, cut: true };
    }
  }
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Leaves out stop words. Names such as `forgot-password` and `loginForm` are split. */
export function* wordsOf(text: string): Generator<Word> {
  for (const run of runsOf(text)) yield* partsOf(run.text, run.offset);
}

export function stemsOf(text: string): Set<string> {
  return new Set(Array.from(wordsOf(text), (word) => word.stem));
}

function* partsOf(segment: string, offset: number): Generator<Word> {
  for (const found of segment.matchAll(
    /\p{Lu}?[\p{Ll}\p{M}\p{Lo}'’]+|\p{Lu}+(?!\p{Ll})|\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{N}]/gu,
  )) {
    const word = found[0]
      .normalize('NFKC')
      .toLowerCase()
      .replace(/['’](?:s|t|re|ve|ll|d)?$/, '');
    if (word === '' || stopWords.has(word) || (word.length === 1 && /[a-z]/.test(word))) continue;
    yield {
      stem: stem(word),
      offset: offset + found.index,
      end: offset + found.index + found[0].length,
    };
  }
}

/** The endings in the order of trial: ending, replacement, and the least length of the result. */
const endings: readonly (readonly [suffix: string, instead: string, least: number])[] = [
  ['issions', 'it', 4],
  ['ission', 'it', 4],
  ['ications', 'y', 3],
  ['ication', 'y', 3],
  ['ations', '', 4],
  ['ation', '', 4],
  ['ating', '', 4],
  ['ators', '', 4],
  ['ator', '', 4],
  ['ates', '', 4],
  ['ated', '', 4],
  ['ate', '', 4],
  ['ibility', '', 3],
  ['ability', '', 3],
  ['ible', '', 3],
  ['able', '', 3],
  ['nesses', '', 3],
  ['ness', '', 3],
  ['ments', '', 3],
  ['ment', '', 3],
  ['ities', '', 3],
  ['ity', '', 3],
  ['ions', '', 4],
  ['ion', '', 4],
  ['ings', '', 3],
  ['ing', '', 3],
  ['edly', '', 3],
  ['ies', 'y', 3],
  ['ied', 'y', 3],
  ['ed', '', 3],
  ['ers', '', 4],
  ['er', '', 4],
  ['ors', '', 4],
  ['or', '', 4],
  ['ly', '', 3],
  ['es', '', 3],
  ['s', '', 3],
];

/** "validation", "validates" and "validated" become equal. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || word.endsWith('ss')) return word;
  for (const [suffix, instead, least] of endings) {
    if (word.endsWith(suffix) && word.length - suffix.length + instead.length >= least)
      return tidy(word.slice(0, -suffix.length) + instead);
  }
  return tidy(word);
}

/** Makes "submitt" and "submit" equal, and "toggle" and "toggl". */
function tidy(root: string): string {
  const single = /([bdfgklmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
  return single.length > 3 && single.endsWith('e')
    ? single.slice(0, -1)
    : single.length > 3 && single.endsWith('y')
      ? `${single.slice(0, -1)}i`
      : single;
}
