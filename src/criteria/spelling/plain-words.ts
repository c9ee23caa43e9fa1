/** A word of a text that people read. */
export interface PlainWord {
  readonly word: string;
  readonly start: number;
}

/** The longest run without white space that is read, in characters. */
const longestRun = 200;
/** A word, but no short part before a hyphen (`mis-`), and none without its end (`tryin'`). */
const letters =
  /(?<![\p{L}\p{M}'’])(?!\p{L}{1,4}-\p{L}|\p{L}+in['’](?!\p{L}))\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*/gu;
/** Signs that a run without white space is an address, a path, a name in code, or a measure. */
const technical: readonly RegExp[] = [
  /[_\d@$\\^=<>{}[\]|~%&+#`]/,
  /:\S/,
  /\S\(/,
  /\p{Ll}\p{Lu}/u,
  /\p{Lu}{2}/u,
  /\p{L}[.]\p{L}/u,
  /\p{L}\*+\p{L}/u,
  /\/[^/]*\//,
  /^[-./!?]+\p{L}/u,
];
const before = /^[("'“‘«[*_~]+/;
const after = /(?<![)"'”’»\]*_~.,;:!?…])[)"'”’»\]*_~.,;:!?…]+$/;
const otherScript = /\p{L}/u;
const latin = /\p{Script=Latin}/u;

/**
 * Returns the words of a text in which all else is blank. Runs that look like code, addresses or
 * names of files are left out. A run of another script is one word.
 */
export function plainWords(text: string): PlainWord[] {
  const words: PlainWord[] = [];
  for (const { 0: run, index } of text.matchAll(/\S+/g)) {
    const shown = run.slice(0, longestRun);
    if (otherScript.test(shown) && !latin.test(shown)) words.push({ word: shown, start: index });
    else if (run.length <= longestRun && !isTechnical(run))
      for (const { 0: word, index: within } of run.matchAll(letters))
        words.push({ word, start: index + within });
  }
  return words;
}

/** Returns whether a run without white space is no plain word. */
function isTechnical(run: string): boolean {
  const core = run.replace(before, '').replace(after, '');
  return technical.some((sign) => sign.test(core));
}
