/** The role of a step in a scenario: a condition (Given, When), or an outcome (Then). */
export type StepRole = 'condition' | 'outcome';

const keyword = /^(?:\*\*|__)?(given|when|then|and|but)(?:\*\*|__)?[:,]?(?=\s|$)/i;

/** Reads the steps of one scenario. An "and" has the role of the step before it. */
export class ScenarioSteps {
  #last: StepRole | undefined;

  reset(): void {
    this.#last = undefined;
  }

  /**
   * Returns the role of a line, or `undefined` if it is not a step. Outside of scenarios only
   * capitals and bold words count, because other sentences also begin with "When" and "Then".
   */
  read(text: string, inScenario: boolean): StepRole | undefined {
    const word = keyword.exec(text.slice(0, 20))?.[1];
    if (word === undefined) return undefined;
    const marked = /^(?:\*\*|__)/.test(text) || word === word.toUpperCase();
    if (!marked && !(inScenario && /^\p{Lu}/u.test(word))) return undefined;
    const kind = word.toLowerCase();
    if (kind === 'and' || kind === 'but') return this.#last;
    this.#last = kind === 'then' ? 'outcome' : 'condition';
    return this.#last;
  }
}

/**
 * Returns the roles of lines that are the steps of one scenario. They may follow its name. Returns
 * `undefined` for other text.
 */
export function stepRoles(lines: readonly string[]): (StepRole | undefined)[] | undefined {
  const steps = new ScenarioSteps();
  const roles = lines.map((text) => steps.read(text, true));
  const from = /^(?:scenario|example):/i.test(lines[0] ?? '') ? 1 : 0;
  const isScenario = lines.length > 1 && roles.includes('outcome');
  return isScenario && !roles.slice(from).includes(undefined) ? roles : undefined;
}

/**
 * Returns whether a text is a whole scenario: "Given x, when y, then z", or "When x, y" if the text
 * below it is not a step.
 */
export function isWholeScenario(text: string, below = ''): boolean {
  const short = text.slice(0, 2000);
  if (!/^[*_]*(?:given|when|if)\b/i.test(short)) return false;
  if (/[\s,;*_]then\b/i.test(short)) return true;
  const saysOutcome = /^[^.;:]{3,300}?,\s+(?!(?:when|and|but|or)\b)\S+\s+\S/i.test(short);
  const goesOn = /^[*_]*given\b/i.test(short)
    ? /^[*_]*(?:when|then|and|but)\b/i
    : /^[*_]*(?:then|and|but)\b/i;
  return saysOutcome && !goesOn.test(below);
}
