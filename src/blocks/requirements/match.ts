import { checkKeys, checkRange, invalid } from '../../core/options.js';
import { cutAroundSecrets } from '../../core/redact/secrets.js';
import { stemsOf, type Word, wordsOf } from '../../core/text/words.js';

/** A text to search for a requirement. */
export interface MatchSource {
  readonly text: string;
  readonly file?: string | undefined;
}

export interface MatchOptions {
  /** The share of the requirement's words that must be close together, from 0 to 1. @default 0.5 */
  readonly threshold?: number | undefined;
  /**
   * The maximum number of words of a passage for each word of the requirement, from 1.
   *
   * @default 6
   */
  readonly spread?: number | undefined;
}

/**
 * The result of a search for a requirement in a text. It shows that words occur, not that a
 * statement is true.
 */
export interface RequirementMatch {
  /** The share of the requirement's words in the best passage, from 0 to 1. */
  readonly confidence: number;
  readonly covered: boolean;
  /** The words of the requirement in the best passage, as stems. */
  readonly found: readonly string[];
  /** A quote of the best passage. */
  readonly evidence?: string | undefined;
  readonly file?: string | undefined;
  /** The line of the passage, from 1. */
  readonly line?: number | undefined;
}

const longestQuote = 200;
const smallestWindow = 30;

/**
 * Returns the passage with most of a requirement's words. A requirement without meaningful words is
 * never covered.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function matchRequirement(
  requirement: string,
  sources: readonly MatchSource[],
  options: MatchOptions = {},
): RequirementMatch {
  checkKeys('matchRequirement', options, ['threshold', 'spread']);
  const { threshold = 0.5, spread = 6 } = options;
  checkRange('threshold', threshold);
  if (!(spread >= 1)) throw invalid('spread', 'a number from 1', spread);
  const wanted = stemsOf(requirement);
  if (wanted.size === 0) return { confidence: 0, covered: false, found: [] };
  let best: Passage | undefined;
  for (const source of sources) {
    const passage = bestPassage(wanted, source, Math.max(smallestWindow, wanted.size * spread));
    if (passage !== undefined && (best === undefined || passage.found.length > best.found.length))
      best = passage;
  }
  if (best === undefined) return { confidence: 0, covered: false, found: [] };
  const confidence = best.found.length / wanted.size;
  const { source, offset, end, found } = best;
  return {
    confidence,
    covered: confidence >= threshold && confidence > 0,
    found,
    evidence: cutAroundSecrets(source.text.slice(offset, end), longestQuote),
    ...(source.file !== undefined && { file: source.file }),
    line: lineAt(source.text, offset),
  };
}

interface Passage {
  readonly source: MatchSource;
  readonly found: readonly string[];
  readonly offset: number;
  readonly end: number;
}

function bestPassage(
  wanted: ReadonlySet<string>,
  source: MatchSource,
  size: number,
): Passage | undefined {
  const window = new Window(size);
  let best: Passage | undefined;
  let position = 0;
  for (const word of wordsOf(source.text)) {
    position += 1;
    if (!wanted.has(word.stem)) continue;
    const offset = window.add(word, position);
    const more = window.counts.size - (best?.found.length ?? 0);
    const tighter = best !== undefined && word.end - offset < best.end - best.offset;
    if (more > 0 || (more === 0 && tighter))
      best = { source, found: [...window.counts.keys()], offset, end: word.end };
  }
  return best;
}

/** The newest words, without words that are too far back or occur again later. */
class Window {
  readonly counts = new Map<string, number>();
  readonly #words: { readonly word: Word; readonly position: number }[] = [];
  #first = 0;
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  add(word: Word, position: number): number {
    this.#words.push({ word, position });
    this.counts.set(word.stem, (this.counts.get(word.stem) ?? 0) + 1);
    let oldest = this.#words[this.#first];
    while (oldest !== undefined && this.#leaves(oldest.word, position - oldest.position)) {
      this.#first += 1;
      oldest = this.#words[this.#first];
    }
    return oldest?.word.offset ?? word.offset;
  }

  #leaves({ stem }: Word, distance: number): boolean {
    const count = this.counts.get(stem) ?? 0;
    if (count < 2 && distance < this.#size) return false;
    if (count < 2) this.counts.delete(stem);
    else this.counts.set(stem, count - 1);
    return true;
  }
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1))
    line += 1;
  return line;
}
