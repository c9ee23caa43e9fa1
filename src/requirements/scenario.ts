/** The role of a step in a scenario: a condition (Given, When), an outcome (Then), or that of the step before. */
export type StepRole = 'condition' | 'outcome' | 'and';

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

/** Returns the role of a line that begins with the word of a step. */
export function stepRole(text: string): StepRole | undefined {
  const word = firstWord.exec(text.slice(0, 30))?.[1];
  if (word === undefined || !/^\p{Lu}/u.test(word)) return undefined;
  return roles.find(([, words]) => words.test(word))?.[0];
}

/** An outcome, and the conditions under which it holds. */
export interface Outcome {
  readonly text: string;
  readonly conditions: readonly string[];
}

/** Reads the steps of one scenario, and keeps the conditions of each outcome. */
export class ScenarioSteps {
  #last: 'condition' | 'outcome' | undefined;
  #conditions: string[] = [];

  reset(): void {
    this.#last = undefined;
    this.#conditions = [];
  }

  /** Takes a step. Returns it if it is an outcome. */
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

/** Returns the words of an outcome with its conditions: "Then it is empty (When it is emptied)". */
export function withConditions({ text, conditions }: Outcome): string {
  if (conditions.length === 0) return text;
  const said = conditions.map((one) => one.replace(/[,;.]$/, '')).join(', ');
  const cut = said.length > longest ? `${said.slice(0, longest).replace(/\s\S*$/, '')} ...` : said;
  return `${text} (${cut})`;
}

/** Returns whether texts are the steps of a scenario: a condition, and an outcome after it. */
export function isScenario(texts: readonly string[]): boolean {
  const found = texts.map((text) => stepRole(text));
  const outcome = found.indexOf('outcome');
  if (outcome === -1) return false;
  return (
    found.slice(0, outcome).includes('condition') ||
    /^(?:\*\*|__|THEN\b)/.test(texts[outcome] ?? '')
  );
}

/** Returns whether a text is a whole scenario: "Given x, when y, then z". */
export function isWholeScenario(text: string): boolean {
  return (
    stepRole(text) === 'condition' &&
    /[\s,;*_](?:then|dann|alors|entonces)[\s*_,:]/i.test(text.slice(0, 2000))
  );
}
