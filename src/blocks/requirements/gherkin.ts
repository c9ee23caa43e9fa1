import type { Requirement } from './requirement.js';

type GherkinLanguage = Readonly<
  Record<
    | ('feature' | 'rule' | 'background' | 'scenario' | 'scenarioOutline' | 'examples')
    | ('given' | 'when' | 'then' | 'and' | 'but'),
    readonly string[]
  >
>;

export type GherkinLanguages = Readonly<Record<string, GherkinLanguage>>;

interface GherkinWords {
  /** The headings by depth: feature, rule, scenario. */
  readonly headings: readonly RegExp[];
  readonly background: RegExp;
  readonly examples: RegExp;
  readonly condition: RegExp;
  readonly outcome: RegExp;
  readonly and: RegExp;
}

let loaded: GherkinLanguages | undefined;

/** Loads all languages on first use. */
export async function loadGherkin(): Promise<GherkinLanguages> {
  loaded ??= (
    await import('@cucumber/gherkin/dist/gherkin-languages.json', { with: { type: 'json' } })
  ).default;
  return loaded;
}

export function loadedGherkin(): GherkinLanguages | undefined {
  return loaded;
}

/** Returns the words of the named language, or of each one in which the first line is a heading. */
function wordsFor(lines: readonly string[], all: GherkinLanguages): GherkinWords | undefined {
  const first = lines.find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  const fitting = Object.entries(all).filter(([, one]) =>
    heading([...one.feature, ...one.scenario, ...one.scenarioOutline, ...one.background]).test(
      first,
    ),
  );
  if (fitting.length === 0) return undefined;
  const named = lines
    .slice(0, 20)
    .flatMap((line) => /^\s*#\s*language\s*:\s*([\w-]+)/i.exec(line)?.[1] ?? []);
  const chosen = fitting.filter(([name]) => named.includes(name));
  return wordsOf((chosen.length === 0 ? fitting : chosen).map(([, one]) => one));
}

function wordsOf(languages: readonly GherkinLanguage[]): GherkinWords {
  const of = (part: keyof GherkinLanguage): string[] => languages.flatMap((one) => one[part]);
  const background = heading(of('background'));
  return {
    headings: [
      heading(of('feature')),
      heading(of('rule')),
      heading([...of('scenarioOutline'), ...of('scenario'), ...of('background')]),
    ],
    background,
    examples: heading(of('examples')),
    condition: step([...of('given'), ...of('when')]),
    outcome: step(of('then')),
    and: step([...of('and'), ...of('but')], '|\\*\\s'),
  };
}

const heading = (words: readonly string[]): RegExp =>
  new RegExp(`^\\s*(?:${anyOf(words)})\\s*:(.*)$`, 'iu');

const step = (words: readonly string[], others = ''): RegExp =>
  new RegExp(`^\\s*(?:${anyOf(words.filter((word) => !word.startsWith('*')))}${others})`, 'iu');

function anyOf(words: readonly string[]): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ $/, '(?:[\\s:]|$)'))
    .join('|');
}

/** A feature file begins with a feature, and scenarios follow. */
export function isGherkin(lines: readonly string[], languages: GherkinLanguages): boolean {
  const words = wordsFor(lines, languages);
  const [feature, ...parts] = words?.headings ?? [];
  const first = lines.findIndex((line) => !/^\s*(?:[#@].*)?$/.test(line));
  if (feature === undefined || !feature.test(lines[first] ?? '')) return false;
  return lines.some((line) => parts.some((part) => part.test(line)));
}

/** For code without a language. */
export function isScenarioCode(lines: readonly string[]): boolean {
  const roles = lines.filter((line) => line.trim() !== '').map((line) => stepRole(line.trim()));
  const steps = roles.filter((role) => role !== undefined);
  return (
    steps.length * 2 > roles.length && steps.includes('condition') && steps.includes('outcome')
  );
}

export interface FeatureSource {
  readonly lines: readonly string[];
  /** The number of lines before it. @default 0 */
  readonly shift?: number;
  /** The headings above it. @default none */
  readonly section?: readonly string[];
}

/**
 * Returns the outcomes of the scenarios of a feature file, each with its conditions. Backgrounds,
 * doc strings, tables and examples ask nothing. A text without headings is one scenario.
 */
export function gherkinRequirements(
  { lines, shift = 0, section = [] }: FeatureSource,
  languages: GherkinLanguages,
): Requirement[] {
  const known = wordsFor(lines, languages);
  const { en } = languages;
  const words = known ?? wordsOf(en === undefined ? [] : [en]);
  const reader = new FeatureReader(words, section, known === undefined);
  return lines.flatMap((source, index) => reader.read(source, index + 1 + shift) ?? []);
}

class FeatureReader {
  readonly #words: GherkinWords;
  readonly #above: readonly string[];
  readonly #steps = new ScenarioSteps();
  #names: { readonly depth: number; readonly text: string }[] = [];
  #docString: string | undefined;
  #inSteps: boolean;

  constructor(words: GherkinWords, above: readonly string[], inSteps: boolean) {
    this.#words = words;
    this.#above = above;
    this.#inSteps = inSteps;
  }

  read(source: string, line: number): Requirement | undefined {
    const text = source.trim();
    if (this.#isDocString(text) || text === '' || /^[#@|]/.test(text)) return undefined;
    if (this.#words.examples.test(source)) this.#inSteps = false;
    else if (!this.#enter(source) && this.#inSteps) return this.#step(source, line);
    return undefined;
  }

  #step(source: string, line: number): Requirement | undefined {
    const said = this.#steps.take(source.trim(), this.#roleIn(source));
    if (said === undefined) return undefined;
    const section = [...this.#above, ...this.#names.map(({ text }) => text)];
    const text = withConditions(said);
    return {
      text,
      source: 'explicit',
      kind: 'step',
      strength: 'MUST',
      line,
      endLine: line,
      section,
    };
  }

  #roleIn(source: string): StepRole | undefined {
    if (this.#words.outcome.test(source)) return 'outcome';
    if (this.#words.condition.test(source)) return 'condition';
    return this.#words.and.test(source) ? 'and' : undefined;
  }

  #enter(source: string): boolean {
    const depth = this.#words.headings.findIndex((one) => one.test(source));
    if (depth === -1) return false;
    const name = this.#words.headings[depth]?.exec(source)?.[1]?.trim() ?? '';
    const text = name === '' ? source.trim().replace(/:$/, '').trimEnd() : name;
    this.#names = [...this.#names.filter((one) => one.depth < depth), { depth, text }];
    this.#steps.reset();
    this.#inSteps = depth === 2 && !this.#words.background.test(source);
    return true;
  }

  #isDocString(text: string): boolean {
    const mark = /^(?:"""|```)/.exec(text)?.[0];
    if (this.#docString === undefined) this.#docString = mark;
    else if (text.startsWith(this.#docString)) this.#docString = undefined;
    else return true;
    return mark !== undefined;
  }
}

/** A condition (Given, When), an outcome (Then), or as the step before. */
type StepRole = 'condition' | 'outcome' | 'and';

const roles: readonly (readonly [StepRole, RegExp])[] = [
  [
    'condition',
    /^(?:given|when|angenommen|gegeben(?: sei(?:en)?)?|wenn|étant donnée?s?|quand|lorsque|dad[oa]s?|cuando)$/i,
  ],
  ['outcome', /^(?:then|dann|alors|entonces)$/i],
  ['and', /^(?:and|but|und|aber|et|mais|y|pero)$/i],
];

const firstWord =
  /^(?:\*\*|__)?(gegeben sei(?:en)?|étant donnée?s?|\p{L}{1,12})(?:\*\*|__)?[:,]?(?:\*\*|__)?(?=\s|$)/iu;

export function stepRole(text: string): StepRole | undefined {
  const word = firstWord.exec(text.slice(0, 30))?.[1];
  if (word === undefined || !/^\p{Lu}/u.test(word)) return undefined;
  return roles.find(([, words]) => words.test(word))?.[0];
}

export interface Outcome {
  readonly text: string;
  readonly conditions: readonly string[];
}

export class ScenarioSteps {
  #last: 'condition' | 'outcome' | undefined;
  #conditions: string[] = [];

  reset(): void {
    this.#last = undefined;
    this.#conditions = [];
  }

  take(text: string, role: StepRole | undefined): Outcome | undefined {
    const now = role === 'and' ? this.#last : role;
    if (now === undefined) return undefined;
    if (now === 'condition') {
      if (this.#last === 'outcome') this.#conditions = [];
      this.#conditions.push(text);
    }
    this.#last = now;
    return now === 'outcome' ? { text, conditions: [...this.#conditions] } : undefined;
  }
}

const longest = 400;

/** "Then it is empty (When it is emptied)". */
export function withConditions({ text, conditions }: Outcome): string {
  if (conditions.length === 0) return text;
  const said = conditions.map((one) => one.replace(/[,;.]$/, '')).join(', ');
  const cut = said.length > longest ? `${said.slice(0, longest).replace(/\s\S*$/, '')} ...` : said;
  return `${text} (${cut})`;
}

/** A condition, and an outcome after it. */
export function isScenario(texts: readonly string[]): boolean {
  const found = texts.map((text) => stepRole(text));
  const outcome = found.indexOf('outcome');
  if (outcome === -1) return false;
  return (
    found.slice(0, outcome).includes('condition') ||
    /^(?:\*\*|__|THEN\b)/.test(texts[outcome] ?? '')
  );
}

/** "Given x, when y, then z". */
export function isWholeScenario(text: string): boolean {
  return (
    stepRole(text) === 'condition' &&
    /[\s,;*_](?:then|dann|alors|entonces)[\s*_,:]/i.test(text.slice(0, 2000))
  );
}
