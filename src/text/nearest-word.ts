/**
 * Returns the known word that is most like a given one, or `undefined` if none is. At most a third
 * of its letters may differ, and at least two. A word has at most 60 letters.
 */
export function nearestWord(given: string, known: readonly string[]): string | undefined {
  if (given.length > 60) return undefined;
  const lower = given.toLowerCase();
  let near: string | undefined;
  let most = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const word of known) {
    const distance = distanceBelow(most, lower, word);
    if (distance === undefined) continue;
    near = word;
    most = distance;
  }
  return near;
}

/** How far the beginnings of a word are from no letter. No compared word is longer. */
const firstRow = Array.from({ length: 100 }, (_, index) => index);

/** Returns the number of letters to add, remove or change, if it is below a limit. */
function distanceBelow(limit: number, from: string, word: string): number | undefined {
  if (Math.abs(from.length - word.length) >= limit) return undefined;
  const to = word.toLowerCase();
  let row = firstRow.slice(0, to.length + 1);
  for (const letter of from) {
    row = nextRow(row, letter, to);
    if (Math.min(...row) >= limit) return undefined;
  }
  const distance = row.at(-1) ?? limit;
  return distance < limit ? distance : undefined;
}

function nextRow(row: readonly number[], letter: string, to: string): number[] {
  const next = [(row[0] ?? 0) + 1];
  for (let index = 0; index < to.length; index += 1) {
    const changed = (row[index] ?? 0) + (letter === to[index] ? 0 : 1);
    next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
  }
  return next;
}
