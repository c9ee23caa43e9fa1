/**
 * Returns the known word that is most like a given one, or `undefined` if none is. At most a third
 * of its letters may differ, and at least two. A word has at most 60 letters.
 */
export function nearestWord(given: string, known: readonly string[]): string | undefined {
  if (given.length > 60) return undefined;
  const most = Math.max(2, Math.floor(given.length / 3));
  const near = known
    .map((word) => ({ word, distance: distanceOf(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

/** Returns the number of letters to add, remove or change. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [index, other] of [...to].entries())
      next.push(
        Math.min(
          (row[index] ?? 0) + (letter === other ? 0 : 1),
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
