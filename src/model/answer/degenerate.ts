/** How much of a text is looked at at a time: a run of twice this length cannot be missed. */
const frame = 1024;

/** The longest piece whose repetition counts. */
const longestPiece = 128;

/** Whether a text, somewhere in it, repeats one short piece over and over. Takes time in proportion to its length. */
export function isDegenerate(text: string): boolean {
  for (let start = 0; start + frame <= text.length; start += frame) {
    const part = text.slice(start, start + frame);
    const period = part.indexOf(part.slice(0, longestPiece), 1);
    if (period > 0 && period <= longestPiece && part.startsWith(part.slice(period))) return true;
  }
  return false;
}
