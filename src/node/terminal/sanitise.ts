import stripAnsi from 'strip-ansi';

/** Control characters except tab and newline. */
const controls = /(?![\t\n])\p{Cc}/gu;
/**
 * Characters that change the direction of text, are invisible, or break lines only in some
 * programs.
 */
const deceiving =
  /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Returns a text without escape sequences, control characters (except tab and newline) and
 * invisible or bidirectional characters.
 */
export function sanitise(text: string): string {
  return stripAnsi(text).replace(controls, '').replace(deceiving, '');
}

export function oneLine(text: string): string {
  return sanitise(text.replace(/\s+/g, ' ')).replace(/\s+/g, ' ').trim();
}

/** Parses to the same value. */
export function terminalSafeJson(value: unknown): string {
  const escaped = (found: string): string =>
    [...Array(found.length).keys()]
      .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join('');
  return JSON.stringify(value, null, 2)
    .replace(/[\u007f-\u009f]/g, escaped)
    .replace(deceiving, escaped);
}
