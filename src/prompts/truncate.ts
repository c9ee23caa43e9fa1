/** A text, whole or cut. */
export interface Truncated {
  readonly text: string;
  /** How many characters were left out. */
  readonly omitted: number;
}

/**
 * Head and tail of a text that is too long, with a line between them that says how much was left out. No character is cut in two.
 *
 * @param most - How many characters of it are kept.
 */
export function truncate(text: string, most: number): Truncated {
  if (text.length <= most) return { text, omitted: 0 };
  const head = before(text, Math.ceil(most / 2));
  const tail = behind(text, text.length - Math.floor(most / 2));
  const omitted = tail - head;
  return { text: `${text.slice(0, head)}\n[... ${omitted} of ${text.length} characters left out ...]\n${text.slice(tail)}`, omitted };
}

/** The last place up to `at` where no pair of surrogates is cut. */
function before(text: string, at: number): number {
  return isInsidePair(text, at) ? at - 1 : at;
}

function behind(text: string, at: number): number {
  return isInsidePair(text, at) ? at + 1 : at;
}

function isInsidePair(text: string, at: number): boolean {
  const first = text.charCodeAt(at - 1);
  const second = text.charCodeAt(at);
  return first >= 0xd800 && first <= 0xdbff && second >= 0xdc00 && second <= 0xdfff;
}
