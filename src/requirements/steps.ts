/** What a step of a scenario is: what is given before, what is done, or what has to follow. */
export type StepRole = 'before' | 'outcome';

type Keyword = 'given' | 'when' | 'outcome' | 'and';
const keywords: readonly (readonly [Keyword, string])[] = [
  [
    'given',
    'given angenommen gegeben soit etant étant dado dada dados dato gegeven дано допустим 前提 假如 假设 假設 假定 给定 給定 조건',
  ],
  ['when', 'when wenn quand lorsque cuando quando als когда если もし 当 當 만일 만약'],
  ['outcome', 'then dann alors entonces então allora dan тогда то ならば 那么 那麼 则 則 그러면'],
  ['and', 'and but und aber et mais y pero e mas ma en maar и но かつ 且 并且 並且 而且 그리고 *'],
];
const words = new Map(
  keywords.flatMap(([kind, list]) =>
    list.split(' ').map((word): [string, Keyword] => [word, kind]),
  ),
);
const start = /^(?:\*\*|__|\*(?=\p{L})|_)?(\*(?=\s)|\p{L}+)(?:\*\*|__|[*_])?[:,]?(?=\s|$)/u;

/** Follows the steps of one scenario: an "and" is what the step before it was. */
export class StepReader {
  #last: StepRole | undefined;

  reset(): void {
    this.#last = undefined;
  }

  /**
   * The role of a line, or undefined for a line that is no step. `loose` takes words in any case ("Given a user"); without
   * it only capitals and bold words are steps, because sentences begin with "When" and "Then" too.
   */
  read(text: string, loose: boolean): StepRole | undefined {
    const found = start.exec(text.slice(0, 60));
    const word = found?.[1] ?? '';
    const kind = words.get(word.toLowerCase());
    const bold = /^(?:\*\*|__)/.test(text);
    const capital = word.length > 1 && word === word.toUpperCase();
    if (
      kind === undefined ||
      !(bold || capital || (loose && word.charAt(0) === word.charAt(0).toUpperCase()))
    )
      return undefined;
    if (kind === 'and' && this.#last === undefined) return undefined;
    if (kind !== 'and') this.#last = kind === 'outcome' ? 'outcome' : 'before';
    return this.#last;
  }
}

/** Whether a step says what follows, too ("Given a name, the list is created"), and no step below it does. */
export function isClosedStep(text: string, below: string | undefined): boolean {
  const found = /^[*_]*(given|when|if)\b[^.;:]{3,300}?,\s+(?!(?:when|and|but|or)\b)\S+\s+\S+/i.exec(
    text.slice(0, 400),
  );
  if (found === null) return false;
  const next = /^[*_]*(when|then|and|but)\b/i.exec(below ?? '')?.[1]?.toLowerCase();
  return next === undefined || (next === 'when' && found[1]?.toLowerCase() !== 'given');
}

/** Whether one text is a whole scenario: "Given x, when y, then z". */
export function isWholeScenario(text: string): boolean {
  const short = text.slice(0, 2000);
  return /\b(?:given|when|if)\b/i.test(short.slice(0, 40)) && /[\s,;*_]then\b/i.test(short);
}
