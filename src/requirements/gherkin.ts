import {
  englishGherkin,
  type GherkinLanguages,
  type GherkinWords,
  gherkinWords,
} from './gherkin-words.js';
import type { Requirement } from './requirement.js';
import type { StepRole } from './scenario-steps.js';

/** Returns whether a text is a feature file: it begins with a feature, and scenarios follow. */
export function isGherkin(lines: readonly string[], languages: GherkinLanguages): boolean {
  const words = gherkinWords(lines, languages);
  if (words === undefined) return false;
  const first = lines.findIndex((line) => words.feature.test(line));
  const parts = [words.scenario, words.background, words.rule];
  return (
    first !== -1 &&
    lines.slice(0, first).every((line) => /^\s*(?:[#@].*)?$/.test(line)) &&
    lines.some((line) => parts.some((part) => part.test(line)))
  );
}

/** Returns whether most lines of code without a language are the steps of scenarios. */
export function isScenarioCode(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const steps = filled.filter((line) => /^\s*(?:given|when|then|and|but)\b/i.test(line));
  return (
    steps.length * 2 > filled.length &&
    steps.some((line) => /^\s*(?:given|when)\b/i.test(line)) &&
    steps.some((line) => /^\s*then\b/i.test(line))
  );
}

/** The lines of a feature file and their place in a document. */
export interface FeatureSource {
  readonly lines: readonly string[];
  /** The number of lines before it. @default 0 */
  readonly shift?: number;
  /** The headings above it. @default none */
  readonly section?: readonly string[];
}

/**
 * Returns the outcomes of the scenarios of a feature file: Then, and the Ands and Buts after it.
 * Conditions, backgrounds, doc strings, tables and examples contain no requirements. A text without
 * headings is read as the steps of one scenario.
 */
export function gherkinRequirements(
  { lines, shift = 0, section = [] }: FeatureSource,
  languages: GherkinLanguages,
): Requirement[] {
  const words = gherkinWords(lines, languages);
  const reader = new FeatureReader(
    words ?? englishGherkin(languages),
    section,
    words === undefined,
  );
  for (const [index, line] of lines.entries()) reader.read(line, index + 1 + shift);
  return reader.found;
}

class FeatureReader {
  readonly found: Requirement[] = [];
  readonly #words: GherkinWords;
  readonly #above: readonly string[];
  #section: { readonly depth: number; readonly text: string }[] = [];
  #docString: string | undefined;
  #inSteps: boolean;
  #last: StepRole | undefined;

  constructor(words: GherkinWords, above: readonly string[], inSteps: boolean) {
    this.#words = words;
    this.#above = above;
    this.#inSteps = inSteps;
  }

  read(source: string, line: number): void {
    const text = source.trim();
    if (this.#isDocString(text) || text === '' || /^[#@|]/.test(text)) return;
    if (this.#words.examples.test(source)) this.#inSteps = false;
    else if (!this.#enter(source) && this.#inSteps && this.#roleOf(source) === 'outcome')
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

  #isDocString(text: string): boolean {
    const mark = /^(?:"""|```)/.exec(text)?.[0];
    if (this.#docString === undefined) this.#docString = mark;
    else if (text.startsWith(this.#docString)) this.#docString = undefined;
    else return true;
    return mark !== undefined;
  }

  /** Enters a feature, rule, background or scenario. */
  #enter(source: string): boolean {
    const { feature, rule, background, scenario } = this.#words;
    const isBackground = background.test(source);
    for (const [depth, heading] of [
      feature,
      rule,
      isBackground ? background : scenario,
    ].entries()) {
      const name = heading.exec(source)?.[1];
      if (name === undefined) continue;
      const text = name.trim() === '' ? source.trim().replace(/(?<!\s)\s*:$/, '') : name.trim();
      this.#section = [...this.#section.filter((entry) => entry.depth < depth), { depth, text }];
      this.#last = undefined;
      this.#inSteps = depth === 2 && !isBackground;
      return true;
    }
    return false;
  }

  /** Returns the role of a step. An "and" has the role of the step before it. */
  #roleOf(source: string): StepRole | undefined {
    if (this.#words.outcome.test(source)) this.#last = 'outcome';
    else if (this.#words.condition.test(source)) this.#last = 'condition';
    else if (!this.#words.and.test(source)) return undefined;
    return this.#last;
  }
}
