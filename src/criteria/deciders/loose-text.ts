/** Returns a text for exact comparison: one kind of space and of quotes, no invisible characters. */
export function exactText(text: string): string {
  return text
    .replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns only the letters and digits of a text, in lower case, to find anything like it. */
export function looseText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns where a text contains another one as whole words, or -1. */
export function wholeWordsAt(text: string, wanted: string): number {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + wanted.length, at + wanted.length + 2);
    const isWhole =
      !(/[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(wanted)) &&
      !(/^[\p{L}\p{N}]/u.test(after) && /[\p{L}\p{N}]$/u.test(wanted));
    if (isWhole) return at;
  }
  return -1;
}

/** Returns where a source has the first word of a text, from an offset on. */
export function firstWordAt(source: string, text: string, start: number): number {
  const [word = ''] = /[\p{L}\p{N}]+/u.exec(text) ?? [];
  const found = word === '' ? -1 : source.indexOf(word, start);
  return found === -1 || found > start + longestPassage ? start : found;
}

const longestPassage = 20_000;
const promises =
  /\b(?:TODO|FIXME|TBD|TBC)\b|\b(?:not yet|coming soon|to be (?:added|written|done|decided|defined)|will be (?:added|written)|placeholder)\b|\[ \]/i;

/** Returns whether a passage only promises what it names. */
export function isPromise(passage: string): boolean {
  return promises.test(passage);
}
