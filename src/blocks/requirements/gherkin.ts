import type { Requirement } from './requirement.js';

type GherkinLanguage = Readonly<
  Record<
    | ('feature' | 'rule' | 'background' | 'scenario' | 'scenarioOutline' | 'examples')
    | ('given' | 'when' | 'then' | 'and' | 'but'),
    readonly string[]
  >
>;

interface GherkinWords {
  /** The headings by depth: feature, rule, scenario. */
  readonly headings: readonly RegExp[];
  readonly background: RegExp;
  readonly examples: RegExp;
  readonly condition: RegExp;
  readonly outcome: RegExp;
  readonly and: RegExp;
}

let languages: Readonly<Record<string, GherkinLanguage>> | undefined;

/** Loads all languages on first use. Without them no text is a feature file. */
export async function loadGherkin(): Promise<void> {
  languages ??= (
    await import('@cucumber/gherkin/dist/gherkin-languages.json', { with: { type: 'json' } })
  ).default;
}

/** Returns the words of the named language, or of each one in which the first line is a heading. */
function wordsFor(lines: readonly string[]): GherkinWords | undefined {
  const first = lines.find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  const fitting = Object.entries(languages ?? {}).filter(([, one]) =>
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
export function isGherkin(lines: readonly string[]): boolean {
  const words = wordsFor(lines);
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
export function gherkinRequirements({
  lines,
  shift = 0,
  section: above = [],
}: FeatureSource): Requirement[] {
  if (languages === undefined) return [];
  const known = wordsFor(lines);
  const words = known ?? wordsOf(languages['en'] === undefined ? [] : [languages['en']]);
  const steps = new ScenarioSteps();
  const asksNothing = leftOut();
  let names: { readonly depth: number; readonly text: string }[] = [];
  let inSteps = known === undefined;
  return lines.flatMap((source, index) => {
    const text = source.trim();
    if (asksNothing(text)) return [];
    const heading = headingIn(source, words);
    if (heading !== undefined) {
      names = [...names.filter(({ depth }) => depth < heading.depth), heading];
      steps.reset();
      inSteps = heading.hasSteps;
    } else if (words.examples.test(source)) inSteps = false;
    const isStep = inSteps && heading === undefined;
    const said = isStep ? steps.take(text, roleIn(source, words)) : undefined;
    const section = [...above, ...names.map((one) => one.text)];
    return said === undefined ? [] : [stepRequirement(said, index + 1 + shift, section)];
  });
}

/** The depth and the name of a feature, a rule or a scenario. */
function headingIn(source: string, { headings, examples, background }: GherkinWords) {
  const depth = examples.test(source) ? -1 : headings.findIndex((one) => one.test(source));
  if (depth === -1) return undefined;
  const name = headings[depth]?.exec(source)?.[1]?.trim() ?? '';
  const text = name === '' ? source.trim().replace(/:$/, '').trimEnd() : name;
  return { depth, text, hasSteps: depth === 2 && !background.test(source) };
}

function stepRequirement(said: Outcome, line: number, section: readonly string[]): Requirement {
  const text = withConditions(said);
  return { text, source: 'explicit', kind: 'step', strength: 'MUST', line, endLine: line, section };
}

function roleIn(source: string, { outcome, condition, and }: GherkinWords): StepRole | undefined {
  if (outcome.test(source)) return 'outcome';
  if (condition.test(source)) return 'condition';
  return and.test(source) ? 'and' : undefined;
}

/** Returns a test for comments, tags, tables and doc strings, of lines that are given in their order. */
function leftOut(): (text: string) => boolean {
  let open: string | undefined;
  return (text) => {
    const mark = /^(?:"""|```)/.exec(text)?.[0];
    if (open === undefined) open = mark;
    else if (text.startsWith(open)) open = undefined;
    else return true;
    return mark !== undefined || text === '' || /^[#@|]/.test(text);
  };
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
