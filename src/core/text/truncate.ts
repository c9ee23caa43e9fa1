export interface Truncated {
  readonly text: string;
  readonly omitted: number;
}

/**
 * A line between head and tail says how many characters are missing. Surrogate pairs stay whole.
 *
 * @param most - How many characters of the text may stay.
 */
export function truncate(text: string, most: number): Truncated {
  if (text.length <= most) return { text, omitted: 0 };
  const head = before(text, Math.ceil(most / 2));
  const tail = behind(text, text.length - Math.floor(most / 2));
  const omitted = tail - head;
  return {
    text: [
      text.slice(0, head),
      `[... ${omitted} of ${text.length} characters left out ...]`,
      text.slice(tail),
    ].join('\n'),
    omitted,
  };
}

/** The place is not inside a surrogate pair. */
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

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Returns the head and tail of a text that is too long, with a mark between them. The result has at
 * most `most` bytes in UTF-8. The tail is longer, because tools print their summary last. Surrogate
 * pairs stay whole.
 *
 * @param most - At least 60 bytes, for the mark.
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

/** Ends between two characters, within `mostBytes` bytes of UTF-8. */
export function firstBytes(text: string, mostBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes));
  return text.slice(0, read);
}

/** Control characters become spaces too. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
}
