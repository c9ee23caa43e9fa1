import widthIn from 'fast-string-width';

/** Made on first use: it takes longer than all else that a command does before it works. */
let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the characters of a text as people see them: a letter with its accents, an emoji with its
 * parts.
 */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Returns how many columns of a terminal a sanitised text takes. */
export function widthOf(text: string): number {
  return widthIn(text);
}

/** Returns a text cut to a number of columns; an ellipsis shows the cut. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let head = '';
  let width = 0;
  for (const character of graphemes(text)) {
    width += widthOf(character);
    if (width > columns - 1) break;
    head += character;
  }
  return columns > 0 ? `${head}…` : '';
}

/** Returns a text with spaces up to a number of columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
