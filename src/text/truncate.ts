/** A text, whole or cut. */
export interface Truncated {
  readonly text: string;
  /** How many characters were left out. */
  readonly omitted: number;
}

/**
 * Head and tail of a text that is too long, with a line between them that says how much was left out. No character is cut in two.
 *
 * @param most - How many of its characters are left.
 */
export function truncate(text: string, most: number): Truncated {
  if (text.length <= most) return { text, omitted: 0 };
  const head = before(text, Math.ceil(most / 2));
  const tail = behind(text, text.length - Math.floor(most / 2));
  const omitted = tail - head;
  return {
    text: `${text.slice(0, head)}\n[... ${omitted} of ${text.length} characters left out ...]\n${text.slice(tail)}`,
    omitted,
  };
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

const encoder = new TextEncoder();

/** How many bytes a text takes in UTF-8. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Head and tail of a text that is too long, in at most so many bytes of UTF-8, the mark between them included. The tail gets more: what
 * tools print last is their summary. No character is cut in two.
 *
 * @param most - At least 60, for the mark.
 */
export function truncateBytes(text: string, most: number): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd');
  const total = bytesOf(whole);
  if (total <= most) return whole;
  const mark = (left: number): string => `\n[... ${left} bytes left out ...]\n`;
  const room = Math.max(0, most - bytesOf(mark(total)));
  const head = startIn(whole, Math.floor(room / 3));
  const tail = endIn(whole, room - bytesOf(head));
  return `${head}${mark(total - bytesOf(head) - bytesOf(tail))}${tail}`;
}

/** The start of a text that takes at most so many bytes. */
function startIn(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function endIn(text: string, most: number): string {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const size = isInsidePair(text, start - 1) ? 2 : 1;
    bytes += bytesOf(text.slice(start - size, start));
    if (bytes > most) break;
    start -= size;
  }
  return text.slice(start);
}

/** Returns the beginning of a text in at most `mostBytes` bytes of UTF-8. It ends between two characters. */
export function firstBytes(text: string, mostBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes));
  return text.slice(0, read);
}
