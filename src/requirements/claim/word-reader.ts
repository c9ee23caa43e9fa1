import type { Sentence } from './sentence.js';

const patterns = new Map<string, RegExp>();

/** Reads the words of a sentence from left to right. Nothing is skipped. */
export class WordReader {
  readonly #sentence: Sentence;
  #at: number;

  constructor(sentence: Sentence, at = 0) {
    this.#sentence = sentence;
    this.#at = at;
  }

  /** Whether all words have been read. */
  get done(): boolean {
    return this.#at >= this.#sentence.words.length;
  }

  get at(): number {
    return this.#at;
  }

  /** Takes the next words if they match one of the alternatives, and returns them. */
  take(alternatives: string): string | undefined {
    let pattern = patterns.get(alternatives);
    if (pattern === undefined) {
      pattern = new RegExp(`(?:${alternatives}) `, 'y');
      patterns.set(alternatives, pattern);
    }
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#sentence.words)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found.trimEnd();
  }

  /** Takes the longest of the next words, at most `most`, that a table knows. */
  lookUp<Value>(table: ReadonlyMap<string, Value>, most = 5): Value | undefined {
    const next = this.#sentence.words.slice(this.#at).split(' ', most);
    for (let count = next.length; count > 0; count -= 1) {
      const words = next.slice(0, count).join(' ');
      const value = table.get(words);
      if (value === undefined || words === '') continue;
      this.#at += words.length + 1;
      return value;
    }
    return undefined;
  }

  /** Takes a quote, and returns its text. */
  quote(): string | undefined {
    return this.#text('§');
  }

  /** Takes a path. */
  path(): string | undefined {
    return this.#text('¶');
  }

  #text(sign: string): string | undefined {
    const mark = this.take(`${sign}\\d+`);
    return mark === undefined ? undefined : this.#sentence.texts[Number(mark.slice(1))];
  }

  /** Returns what a reading returns, and takes no word if that is `undefined`. */
  attempt<Value>(read: () => Value | undefined): Value | undefined {
    const before = this.#at;
    const value = read();
    if (value === undefined) this.#at = before;
    return value;
  }
}
