/**
 * The key words of one language, as in the list of the Gherkin project. Words of steps end with a
 * space if they need one.
 */
interface GherkinLanguage {
  readonly feature: readonly string[];
  readonly rule: readonly string[];
  readonly background: readonly string[];
  readonly scenario: readonly string[];
  readonly scenarioOutline: readonly string[];
  readonly examples: readonly string[];
  readonly given: readonly string[];
  readonly when: readonly string[];
  readonly then: readonly string[];
  readonly and: readonly string[];
  readonly but: readonly string[];
}

/** The key words of feature files by language. */
export type GherkinLanguages = Readonly<Record<string, GherkinLanguage>>;

/** The patterns of one or several languages. The first group of a heading's pattern is its name. */
export interface GherkinWords {
  readonly feature: RegExp;
  readonly rule: RegExp;
  readonly background: RegExp;
  readonly scenario: RegExp;
  readonly examples: RegExp;
  readonly condition: RegExp;
  readonly outcome: RegExp;
  readonly and: RegExp;
}

let loaded: GherkinLanguages | undefined;

/** Loads the key words of all languages on first use. */
export async function loadGherkin(): Promise<GherkinLanguages> {
  loaded ??= (
    await import('@cucumber/gherkin/dist/gherkin-languages.json', { with: { type: 'json' } })
  ).default;
  return loaded;
}

/** Returns the key words if they are loaded. */
export function loadedGherkin(): GherkinLanguages | undefined {
  return loaded;
}

/**
 * Returns the patterns of the possible languages of a feature file. A line `# language: xx` names
 * the language; otherwise the first key word decides. Returns `undefined` if the text does not
 * begin like a feature file or a scenario.
 */
export function gherkinWords(
  lines: readonly string[],
  languages: GherkinLanguages,
): GherkinWords | undefined {
  const first = lines.find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  const fitting = Object.entries(languages).filter(([, language]) =>
    headings([...language.feature, ...scenariosOf(language), ...language.background]).test(first),
  );
  if (fitting.length === 0) return undefined;
  const named = lines
    .slice(0, 20)
    .flatMap((line) => /^\s*#\s*language\s*:\s*([\w-]+)/i.exec(line)?.[1] ?? []);
  const chosen = fitting.filter(([name]) => named.includes(name));
  return wordsOf((chosen.length === 0 ? fitting : chosen).map(([, language]) => language));
}

/** Returns the English patterns, for steps without a heading. */
export function englishGherkin({ en }: GherkinLanguages): GherkinWords {
  return wordsOf(en === undefined ? [] : [en]);
}

function wordsOf(languages: readonly GherkinLanguage[]): GherkinWords {
  const all = (part: keyof GherkinLanguage): string[] => languages.flatMap((words) => words[part]);
  return {
    feature: headings(all('feature')),
    rule: headings(all('rule')),
    background: headings(all('background')),
    scenario: headings(languages.flatMap(scenariosOf)),
    examples: headings(all('examples')),
    condition: steps([...all('given'), ...all('when')]),
    outcome: steps(all('then')),
    and: steps([...all('and'), ...all('but')], '\\*\\s'),
  };
}

function scenariosOf({ scenario, scenarioOutline }: GherkinLanguage): readonly string[] {
  return [...scenarioOutline, ...scenario];
}

function headings(words: readonly string[]): RegExp {
  return new RegExp(`^\\s*(?:${alternatives(words)})\\s*:(.*)$`, 'iu');
}

/** Returns the pattern of some steps. It excludes "*", which begins a step of any kind. */
function steps(words: readonly string[], ...others: readonly string[]): RegExp {
  const named = words.filter((word) => !word.startsWith('*'));
  return new RegExp(`^\\s*(?:${[alternatives(named), ...others].join('|')})`, 'iu');
}

function alternatives(words: readonly string[]): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ $/, '(?:[\\s:]|$)'))
    .join('|');
}
