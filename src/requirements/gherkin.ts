import { beginning, englishWords, type GherkinWords, gherkinWords } from './gherkin-words.js';
import type { Requirement } from './requirement.js';
import type { StepRole } from './steps.js';

/** Whether a text is a feature file: its first line that is no tag, comment or blank names a feature, and scenarios follow. */
export function isGherkin(lines: readonly string[]): boolean {
  const words = gherkinWords(lines, 'feature');
  if (words === undefined) return false;
  const head = beginning([words.scenario, words.background, words.rule].join('|'), ':');
  return lines.some((line) => head.test(line));
}

/**
 * The outcomes that the scenarios of a feature file ask for (Then, and the Ands and Buts after it). What is given and done
 * before is no requirement, nor are the steps of a background, doc strings, data tables, examples, tags and descriptions. A text that begins with none of
 * the names of parts is read as steps.
 */
export function gherkinRequirements(
  lines: readonly string[],
  shift = 0,
  above: readonly string[] = [],
): Requirement[] {
  const words = gherkinWords(lines, 'feature', 'scenario', 'background');
  const reader = new FeatureReader(words ?? englishWords(), above, words === undefined);
  for (const [index, source] of lines.entries()) reader.read(source, index + 1 + shift);
  return reader.found;
}

class FeatureReader {
  readonly found: Requirement[] = [];
  readonly #above: readonly string[];
  readonly #heads: readonly (readonly [RegExp, number])[];
  readonly #examples: RegExp;
  readonly #background: RegExp;
  readonly #steps: readonly (readonly [RegExp, StepRole | undefined])[];
  #section: { readonly depth: number; readonly text: string }[] = [];
  #fence: string | undefined;
  #inSteps: boolean;
  #last: StepRole | undefined;

  constructor(words: GherkinWords, above: readonly string[], inSteps: boolean) {
    this.#above = above;
    this.#inSteps = inSteps;
    this.#examples = beginning(words.examples, ':');
    this.#background = beginning(words.background, ':');
    this.#heads = [
      [beginning(words.feature, ':'), 0],
      [beginning(words.rule, ':'), 1],
      [beginning([words.background, words.scenario].join('|'), ':'), 2],
    ];
    this.#steps = [
      [beginning(words.outcome, ' '), 'outcome'],
      [beginning([words.given, words.when].join('|'), ' '), 'before'],
      [beginning([words.and, '\\*'].join('|'), ' '), undefined],
    ];
  }

  read(source: string, line: number): void {
    const text = source.trim();
    if (this.#isQuoted(text) || text === '' || /^[#@|]/.test(text)) return;
    if (this.#examples.test(source)) this.#inSteps = false;
    else if (this.#enter(source) || !this.#inSteps) return;
    else if (this.#roleOf(source) === 'outcome') {
      this.found.push({
        text,
        source: 'explicit',
        kind: 'step',
        strength: 'MUST',
        line,
        endLine: line,
        section: [...this.#above, ...this.#section.map((entry) => entry.text)],
      });
    }
  }

  /** Whether a line belongs to a doc string. */
  #isQuoted(text: string): boolean {
    const mark = /^(?:"""|```)/.exec(text)?.[0];
    if (this.#fence === undefined) this.#fence = mark;
    else if (text.startsWith(this.#fence)) this.#fence = undefined;
    else return true;
    return mark !== undefined;
  }

  /** The role of a step; undefined for a line that is none. An "and" is what the step before it was. */
  #roleOf(source: string): StepRole | undefined {
    const found = this.#steps.find(([words]) => words.test(source));
    if (found === undefined) return undefined;
    this.#last = found[1] ?? this.#last;
    return this.#last;
  }

  /** Whether a line names a part of the feature, which begins there. */
  #enter(source: string): boolean {
    for (const [words, depth] of this.#heads) {
      const [, keyword, name = ''] = words.exec(source) ?? [];
      if (keyword === undefined) continue;
      this.#section = [
        ...this.#section.filter((entry) => entry.depth < depth),
        { depth, text: name.trim() === '' ? keyword.replace(/\s*:$/, '') : name.trim() },
      ];
      this.#last = undefined;
      this.#inSteps = depth > 0 && !this.#background.test(source);
      return true;
    }
    return false;
  }
}
