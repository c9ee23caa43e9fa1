import stripAnsi from 'strip-ansi';

/** Control characters but tab and newline. */
const controls = /(?![\t\n])\p{Cc}/gu;
/** Characters that turn the direction of text, are not seen, or break lines in some programs only. */
const deceiving =
  /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** A text that a terminal shows and does not obey: no escape sequences, control characters but tab and newline, or bidi marks. */
export function sanitise(text: string): string {
  return stripAnsi(text).replace(controls, '').replace(deceiving, '');
}

/** A sanitised text on one line. */
export function oneLine(text: string): string {
  return sanitise(text.replace(/\s+/g, ' ')).replace(/\s+/g, ' ').trim();
}

/** JSON text in which nothing is left that a terminal obeys; it still parses to the same value. */
export function terminalSafeJson(value: unknown): string {
  const escaped = (found: string): string =>
    [...Array(found.length).keys()]
      .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join('');
  return JSON.stringify(value, null, 2)
    .replace(/[\u007f-\u009f]/g, escaped)
    .replace(deceiving, escaped);
}
