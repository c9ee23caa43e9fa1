import { visible } from '../html/visible.js';

/** The longest text of a message, in characters. */
const mostText = 4_000;

/** Half of a character: it has no form in UTF-8. */
const halves = /\p{Surrogate}/gu;

/** Returns a text that every reader of UTF-8 accepts. */
export function wellFormed(text: string): string {
  return text.replace(halves, '\ufffd');
}

/** Returns a text with hidden characters as escapes, and with the rest of a long text counted. */
export function plainText(text: string, most = mostText): string {
  const shown = visible(wellFormed(text).replace(/\r\n?/g, '\n'));
  if (shown.length <= most) return shown;
  return `${wellFormed(shown.slice(0, most))}… (${shown.length - most} more characters)`;
}

export function plainLine(text: string, most?: number): string {
  return plainText(text.replace(/\s+/g, ' ').trim(), most);
}
